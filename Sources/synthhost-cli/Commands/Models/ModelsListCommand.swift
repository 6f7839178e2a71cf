import Glibc
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost models list`: lists the downloaded voices and their sizes.
struct ModelsListCommand: Command {
    let context: CommandContext

    func run() throws {
        let library = try context.library()
        let known = rows(library)
        let rows = shown(known, library.marks)
        let chosen = library.chosen
        if arguments[Options.json] {
            let prepared = Dictionary(
                Set(rows.map(\.voice.engine)).map { ($0, library.inventory.preparedBytes(of: $0)) }
            ) { first, _ in first }
            let results = rows.map { row in
                row.voice.json(in: library, chosen: chosen) + row.json(library, prepared[row.voice.engine] ?? 0)
            }
            return try context.print(json: results)
        }
        let leftOut = ListMark.leftOut(known.count - rows.count, command: "synthhost models list --all")
        guard !rows.isEmpty else {
            return context.printMessage(
                leftOut
                    ?? "No voices are downloaded. `synthhost setup` downloads one, and `synthhost voices --all` lists all voices."
            )
        }
        try context.print(text: table(rows, chosen, library.marks).render(for: context.output))
        if let legend = ListMark.legend(rows.map(\.voice), library.marks) { context.printMessage(legend) }
        if let leftOut { context.printMessage(leftOut) }
        context.printMessage("Total: \(ByteCount.words(library.bytesOnDisk)), in \(library.host.modelsFolder)")
        let prepared = library.inventory.preparedBytes
        guard prepared > 0 else { return }
        context.printMessage(
            "Engine caches, which make voices load faster, use another \(ByteCount.words(prepared)) in "
                + "\(library.host.folders.cache). Deleted caches are rebuilt.")
    }

    private func rows(_ library: VoiceLibrary) -> [ModelRow] {
        var voices = library.stored
        if arguments[Options.all] {
            let here = Set(voices.map(\.folder))
            voices += library.directory.voices.filter { voice in
                !here.contains(voice.folder) && !library.isBuiltIn(voice)
            }
        }
        let rows = voices.map { ModelRow($0, library) }
        switch arguments[Options.sort] ?? .language {
        case .language:
            return rows.sorted {
                ($0.voice.language, $0.voice.title, $0.voice.id) < ($1.voice.language, $1.voice.title, $1.voice.id)
            }
        case .size:
            return rows.sorted { ($1.diskUse?.size ?? 0, $0.voice.id) < ($0.diskUse?.size ?? 0, $1.voice.id) }
        }
    }

    /// Returns the visible rows, with favorites first and the order otherwise unchanged.
    private func shown(_ rows: [ModelRow], _ marks: VoiceMarks) -> [ModelRow] {
        let visible = arguments[Options.all] ? rows : rows.filter { !marks.hidden.contains($0.voice) }
        return visible.filter { marks.favorites.contains($0.voice) }
            + visible.filter { !marks.favorites.contains($0.voice) }
    }

    private func table(_ rows: [ModelRow], _ chosen: Voice?, _ marks: VoiceMarks) -> Table {
        let showsIDs = arguments[Options.ids]
        let isGrouped = (arguments[Options.sort] ?? .language) == .language
        var columns: [Table.Column] = [.init(""), .init("LANGUAGE"), .init("VOICE", priority: .name)]
        if showsIDs { columns.append(.init("ID", priority: .name)) }
        columns += [
            .init("QUALITY"), .init("ENGINE"), .init("SIZE", alignment: .trailing),
            .init("STATE", narrowest: VoiceLine.stateWidth), .init("LAST USED", priority: .detail),
        ]
        var table = Table(columns: columns)
        var language = ""
        var wasFavorite = false
        let now = Int64(time(nil))
        for row in rows {
            let voice = row.voice
            // Show a language only next to its first voice.
            let isFavorite = marks.favorites.contains(voice)
            let isSame = isGrouped && voice.language == language && isFavorite == wasFavorite
            language = voice.language
            wasFavorite = isFavorite
            var cells = [
                ListMark.text(voice, isChosen: voice.folder == chosen?.folder, marks), isSame ? "" : language,
                voice.title,
            ]
            if showsIDs { cells.append(voice.id) }
            cells += [
                VoiceLine.quality(voice) ?? "", voice.engine,
                row.diskUse.map { ByteCount.words($0.size) } ?? "", row.stateWords,
                ModelRow.age(of: row.diskUse?.lastUsed, at: now),
            ]
            table.append(cells)
        }
        return table
    }
}

/// A voice in the output of `models list`.
struct ModelRow {
    let voice: Voice
    let state: SpeechVoice.State
    let stateWords: String
    /// Why the files are missing or damaged.
    let reason: String?
    let diskUse: (size: Int64, lastUsed: Int64?)?
    /// The precision of the model, if several are available.
    let precision: String?

    init(_ voice: Voice, _ library: VoiceLibrary) {
        // The installed model may differ from the model that would be downloaded now.
        let installed = library.installedModel(of: voice)
        self.voice = installed.map { voice.using($0) } ?? voice
        precision = (installed ?? voice.model)?.precision
        state = library.state(of: voice)
        stateWords = library.stateWords(of: voice)
        switch state {
        case .notDownloaded: reason = library.missingReason(of: voice)
        case .unusable(let error) where error.code == .voiceDamaged: reason = error.facts.reason
        default: reason = nil
        }
        diskUse = library.diskUse(of: voice)
    }

    /// The members for `models list --json`.
    ///
    /// - Parameter prepared: the size of the engine's cache, which all of its voices share.
    func json(_ library: VoiceLibrary, _ prepared: Int64) -> JSONMembers {
        [
            "precision": precision, "state": state.word, "reason": reason, "bytesOnDisk": diskUse?.size ?? 0,
            "bytesToDownload": library.missingBytes(of: voice), "engineCacheBytes": prepared,
            "lastUsed": diskUse?.lastUsed,
        ]
    }

    /// When the voice was last used, such as "today", "yesterday" or "5 days ago". Empty if the voice was never complete.
    static func age(of moment: Int64?, at now: Int64) -> String {
        guard let moment else { return "" }
        let days = max(0, now - max(0, moment)) / 86_400
        return switch days {
        case 0: "today"
        case 1: "yesterday"
        case 2..<60: "\(days) days ago"
        default: "\(days / 30) months ago"
        }
    }
}
