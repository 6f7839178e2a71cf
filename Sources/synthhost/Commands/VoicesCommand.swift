import LinuxSystem
import ModelStore
import SynthHost
import Terminal

/// `synthhost voices`: who can speak.
struct VoicesCommand {
    private let context: CommandContext
    private let arguments: ParsedArguments

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        self.arguments = arguments
    }

    func run() throws(CommandFailure) {
        let stock = try VoiceStock(context, arguments)
        let directory = arguments[Options.all] ? stock.directory : stock.host.shownVoices(stock.directory)
        if let engine = arguments[Options.ofEngine] {
            do {
                _ = try directory.engine(VoiceWish(engine: engine))
            } catch {
                throw CommandFailure(error)
            }
        }
        let voices = stock.builtInLast(directory.voices).filter { voice in
            let isOfEngine = arguments[Options.ofEngine].map { $0 == voice.engine } ?? true
            return isOfEngine && (arguments[Options.inLanguage].map(voice.speaks) ?? true)
        }
        let chosen = stock.chosen
        if arguments[Options.json] {
            return try context.print(
                try JSONText.line(
                    of: voices.map { voice in
                        VoiceResult(voice, stock.condition(of: voice), isChosen: voice.folder == chosen?.folder)
                    }))
        }
        guard !voices.isEmpty else {
            throw CommandFailure(
                .unavailable, "There is no such voice.", "`synthhost voices --all` lists all that are known.")
        }
        try context.print(text: table(voices, chosen: chosen, stock).render(for: context.output))
    }

    private func table(_ voices: [Voice], chosen: Voice?, _ stock: VoiceStock) -> Table {
        let showsIDs = arguments[Options.ids]
        var columns: [Table.Column] = [.init(""), .init("VOICE")]
        if showsIDs { columns.append(.init("ID")) }
        columns += [
            .init("LANGUAGE"), .init("GENDER"), .init("QUALITY"), .init("SPEAKERS", alignment: .trailing),
            .init("SIZE", alignment: .trailing), .init("STATE"), .init("ENGINE"),
        ]
        var table = Table(columns: columns)
        for voice in voices {
            let condition = stock.condition(of: voice)
            var row = [voice.folder == chosen?.folder ? "*" : "", voice.title]
            if showsIDs { row.append(voice.id) }
            let speakers = voice.speakers.count
            row += [
                voice.language, voice.gender?.rawValue ?? "", VoiceLine.quality(voice) ?? "",
                speakers > 1 ? "\(speakers)" : "", size(of: voice, condition, stock), condition.words, voice.engine,
            ]
            table.append(row)
        }
        return table
    }

    /// On the disk where it is here, else of its download.
    private func size(of voice: Voice, _ condition: VoiceCondition, _ stock: VoiceStock) -> String {
        switch condition {
        case .builtIn, .unsupported, .damaged: ""
        case .ready: stock.store.holding(of: voice).map { ByteCount.words($0.size) } ?? ""
        case .notDownloaded, .engineMissing: stock.store.missingWords(of: voice)
        }
    }
}
