import SynthHost
import SynthSystem
import SynthTerminal

extension ChooserState {
    /// The keys and their effects, for the help.
    static let keys: [(key: String, meaning: String)] = [
        ("Enter", "play a sample; download the voice first if it is missing"),
        ("Up, Down", "choose a voice, even while a sample plays"),
        ("Left, Right", "decrease or increase the rate, pitch or volume"),
        ("Tab", "switch between rate, pitch and volume"),
        ("=", "reset the rate, pitch and volume"),
        ("s", "save the settings and make this the default voice"),
        ("a", "show all voices by language, or the short list"),
        ("/", "find voices by name, language, gender or engine"),
        ("f", "mark or unmark the voice as a favorite"),
        ("h", "hide the voice from lists, or show it again"),
        ("Esc, c", "cancel the download, stop the sample, or go back"),
        ("?", "show these keys"),
        ("q", "quit"),
    ]

    /// The keys and their effects in the user's language.
    var localizedKeys: [(key: String, meaning: String)] {
        Self.keys.map { (localized(Phrase(key: $0.key)), localized(Phrase(key: $0.meaning))) }
    }

    mutating func press(_ key: Key) -> [Effect] {
        note = ""
        if key == .control("c") { return [.interrupt] }
        if key == .control("z") { return [.suspend] }
        if showsHelp {
            switch key {
            case .up: firstKey = max(0, firstKey - 1)
            case .down: firstKey = min(Self.keys.count - 1, firstKey + 1)
            default: (showsHelp, firstKey) = (false, 0)
            }
            return []
        }
        let wantedToQuit = wantsToQuit
        wantsToQuit = false
        if let effects = move(key) { return effects }
        if isTyping { return type(key) }
        switch key {
        case .enter: return play()
        case .character(" "): return sample == nil ? play() : [.stop]
        case .left: return tune(by: -1)
        case .right: return tune(by: 1)
        case .tab: factor = factor.next
        case .character("="): return tune(to: VoiceProfile(pause: selected?.profile.pause))
        case .character("s"): return wantsSaved()
        case .character("a"): toggleAll()
        case .character("/"): isTyping = true
        case .character("f"): if let row = selected { return [.favorite(row.key, !row.isFavorite)] }
        case .character("h"): return hide()
        case .escape, .character("c"): return cancel()
        case .character("?"): showsHelp = true
        case .character("q"): return quit(wantedToQuit)
        default: break
        }
        return []
    }

    /// Moves the selection. Returns nil if the key is not a movement key.
    private mutating func move(_ key: Key) -> [Effect]? {
        let visible = visible
        let index = visible.firstIndex { $0.key == selectedKey } ?? 0
        let goal: Int
        switch key {
        case .up: goal = index - 1
        case .down: goal = index + 1
        case .pageUp: goal = index - 10
        case .pageDown: goal = index + 10
        case .home: goal = 0
        case .end: goal = visible.count - 1
        default: return nil
        }
        if !visible.isEmpty { selectedKey = visible[min(max(goal, 0), visible.count - 1)].key }
        return []
    }

    private mutating func type(_ key: Key) -> [Effect] {
        switch key {
        case .enter: isTyping = false
        case .escape: (isTyping, filter) = (false, "")
        default: filter.edit(with: key)
        }
        keepSelection()
        return []
    }

    /// Selects the first voice if the list no longer contains the selected one.
    private mutating func keepSelection() { selectedKey = selected?.key ?? selectedKey }

    // MARK: - Samples and tuning

    private mutating func play() -> [Effect] {
        guard let row = selected else { return [] }
        guard let effects = effects(for: row, then: .play) else { return [.play(row.key, profile(of: row))] }
        return effects
    }

    /// Returns the effects that make a voice available for playing or saving, or nil if it is installed.
    private mutating func effects(for row: Row, then intent: Intent) -> [Effect]? {
        switch row.state {
        case .installed: return nil
        case .unusable: note = localized("\(row.title) cannot speak: \(row.stateWords).")
        case .missing:
            guard let download else {
                self.intent = intent
                self.download = (row.key, localized("Downloading \(row.title)"))
                return [.download(row.key)]
            }
            if download.key == row.key { self.intent = intent }
            note = localized("\(title(download.key)) is being downloaded. Press Esc to cancel.")
        }
        return []
    }

    private mutating func tune(by steps: Double) -> [Effect] {
        guard let row = selected else { return [] }
        var profile = profile(of: row)
        let value = ((profile[keyPath: factor.keyPath] ?? 1) * 20 + steps).rounded() / 20
        let range = factor.factor.range
        let allowed = min(max(value, range.lowerBound), range.upperBound)
        profile[keyPath: factor.keyPath] = allowed == 1 ? nil : allowed
        return tune(to: profile)
    }

    /// Changes the profile and, if the voice is installed, plays a sample with it.
    private mutating func tune(to profile: VoiceProfile) -> [Effect] {
        guard let row = selected else { return [] }
        drafts[row.key] = profile == row.profile ? nil : profile
        if row.state == .installed { return [.play(row.key, profile)] }
        note = localized("Press Enter to download \(row.title) and play a sample.")
        return []
    }

    // MARK: - The other keys

    private mutating func wantsSaved() -> [Effect] {
        guard let row = selected else { return [] }
        return effects(for: row, then: .save) ?? save(row)
    }

    private mutating func toggleAll() {
        showsAll.toggle()
        filter = ""
        if visible.isEmpty { showsAll = true }
        keepSelection()
    }

    private mutating func hide() -> [Effect] {
        guard let row = selected else { return [] }
        let visible = visible
        // The hidden voice disappears from the short list, so select the next one.
        if !row.isHidden, !showsAll, filter.isEmpty, let index = visible.firstIndex(of: row) {
            selectedKey = (visible.dropFirst(index + 1).first ?? visible.prefix(index).last)?.key
        }
        return [.hide(row.key, !row.isHidden)]
    }

    private mutating func cancel() -> [Effect] {
        if download != nil { return [.cancelDownload] }
        if sample != nil { return [.stop] }
        if !filter.isEmpty || showsAll {
            (filter, showsAll) = ("", false)
            if visible.isEmpty { showsAll = true }
            keepSelection()
        } else {
            note = localized("Press q to quit.")
        }
        return []
    }

    private mutating func quit(_ wantedToQuit: Bool) -> [Effect] {
        if wantedToQuit { return [.quit] }
        if let download {
            note = localized("\(title(download.key)) is being downloaded. Press q again to cancel and quit.")
        } else if let row = rows.first(where: isTuned) {
            // Select this voice, because the key s saves the selected voice.
            selectedKey = row.key
            if selected?.key != row.key { (filter, showsAll) = ("", true) }
            note = localized("Your changes to \(row.title) are not saved. Press s to save them, or q again to quit.")
        } else {
            return [.quit]
        }
        wantsToQuit = true
        return []
    }
}
