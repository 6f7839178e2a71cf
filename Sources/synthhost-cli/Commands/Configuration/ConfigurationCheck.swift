import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem

/// Checks whether a configuration value is usable on this machine, so that a mistake is reported immediately rather
/// than when the value is next used.
struct ConfigurationCheck: CommandPart {
    let context: CommandContext

    /// - Returns: a warning if something must be installed or connected before the value is usable, or nil if it is
    ///   already usable.
    func warning(about key: String, _ value: String) throws -> String? {
        switch key {
        case "engine": try engine(value, try library())
        case "language": try language(value, try library())
        case "device": device(value)
        case ConfigurationKey.fallback: try fallback(value)
        case _ where key.hasPrefix(Self.clips): clip(stored(clip: value))
        default:
            if key.hasPrefix(Self.voices) {
                try voice(value, of: String(key.dropFirst(Self.voices.count)), try library())
            } else {
                nil
            }
        }
    }

    /// Returns the key and value to write. Voices in profiles and lists are stored under their unique names.
    func stored(_ key: String, _ value: String) throws -> (key: String, value: String) {
        if key.hasPrefix(Self.clips) { return (key, stored(clip: value)) }
        if let path = ProfilePath(key) { return (path.of(try known(path.voice, try library()).key), value) }
        guard let names = names(of: key, value) else { return (key, value) }
        let library = try library()
        var keys: [String] = []
        for name in names {
            let voice = try known(name, library)
            if !keys.contains(voice.key) { keys.append(voice.key) }
        }
        return (key, VoiceList.text(of: keys))
    }

    /// Returns the names of the voices in a value, or nil if the value for this key is not a list of voices.
    private func names(of key: String, _ value: String) -> [String]? {
        if key == ConfigurationKey.fallback { return VoiceList.namesOrNone(in: value) }
        return VoiceList(rawValue: key) == nil ? nil : VoiceList.names(in: value)
    }

    private func fallback(_ value: String) throws -> String? {
        let names = VoiceList.namesOrNone(in: value) ?? []
        if names.isEmpty { return nil }
        let library = try library()
        var missing: [Voice] = []
        for name in names {
            let voice = try known(name, library)
            if let warning = try engine(voice.engine, library) { return warning }
            if library.state(of: voice) != .ready { missing.append(voice) }
        }
        return warning(aboutMissing: missing, library)
    }

    private static let voices = "voices."
    private static let clips = "clips."

    /// Makes the path of an existing file absolute. Relative paths in the configuration are relative to the
    /// configuration folder, but paths on the command line are relative to the working directory.
    private func stored(clip path: String) -> String { RegularFile(path: path) == nil ? path : absolutePath(path) }

    private func clip(_ path: String) -> String? {
        let configuration = absolutePath(context.configurationFile.path)
        let folder = configuration.lastIndex(of: "/").map { String(configuration[..<$0]) } ?? ""
        let place = ClipLibrary.place(of: path, from: folder)
        return RegularFile(path: place) == nil ? "The key was set, but the file \(place) does not exist yet." : nil
    }

    /// Returns the library even if the configuration is missing or invalid, because this command may be about to fix
    /// it.
    func library() throws -> VoiceLibrary {
        let configuration = (try? context.configuration()) ?? Configuration()
        let host = try context.host(configuration)
        return try context.library(of: host.snapshot())
    }

    func known(
        _ name: String, _ library: VoiceLibrary, suggestsHidden: Bool = false
    ) throws -> Voice {
        try library.known(name, suggestsHidden: suggestsHidden)
    }

    private func engine(_ id: String, _ library: VoiceLibrary) throws -> String? {
        let usable = library.inventory.listings.compactMap(\.engine?.id)
        if usable.contains(id) { return nil }
        if let file = library.inventory.listings.first(where: { $0.isOf(id) }) {
            return "The engine \(id) cannot be used yet (\(file.path)); `synthhost engines list` shows why."
        }
        if library.registry.voices.contains(where: { $0.engine == id }) {
            return "The engine \(id) is not installed yet. " + (library.registry.remedies[id] ?? "")
        }
        let known = Set(usable + library.registry.voices.map(\.engine)).sorted()
        throw CommandFailure(VoiceError.unknownEngine(id, near: Suggestions.nearest(to: id, among: known)))
    }

    private func voice(_ name: String, of id: String, _ library: VoiceLibrary) throws -> String? {
        if let warning = try engine(id, library) {
            let voices = (library.registry.voices + library.stored).filter { $0.engine == id }
            // Do not look up a blend of voices, because only the engine can validate it.
            guard !voices.isEmpty, !name.contains(where: { "+*".contains($0) }) else { return warning }
            do {
                _ = try VoiceDirectory.find(name, among: voices, hidden: library.marks.hidden)
            } catch {
                guard case .unknownVoice = error else { return warning }
                throw CommandFailure(error)
            }
            return warning
        }
        let choice = try library.choice(name, engine: id)
        let missing = choice.shares.map(\.voice).filter { library.state(of: $0) != .ready }
        return warning(aboutMissing: missing, library)
    }

    private func warning(aboutMissing missing: [Voice], _ library: VoiceLibrary) -> String? {
        guard let first = missing.first else { return nil }
        let words = missing.map { ShellWord.quoted(library.word(for: $0)) }.joined(separator: " ")
        return "The voice \(first.title) is not downloaded yet. To download it, type: synthhost models pull \(words)"
    }

    private func language(_ tag: String, _ library: VoiceLibrary) throws -> String? {
        let known = VoiceDirectory(engines: library.directory.engines, voices: library.directory.voices)
        if known.speaks(tag) { return nil }
        let near = known.languages(near: tag)
        let guess = Wording.suggestion(near)
        guard LanguageCode(tag) != nil else {
            throw CommandFailure(
                .unavailable, "No voice speaks the language \"\(tag)\".\(guess)",
                "Use a language code, such as en-GB; `synthhost voices --all` lists the voices with their languages.")
        }
        return "No voice speaks the language \"\(tag)\" yet.\(guess)"
    }

    private func device(_ name: String) -> String? {
        do {
            try context.devices.probe(name)
            return nil
        } catch {
            return
                "\(error.message) The key was set anyway, in case the device is connected later; `aplay -L` lists the devices."
        }
    }
}
