import EngineWire
import ModelStore
import Engines
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
        let configuration = try context.configuration(arguments)
        let host = try context.host(arguments, limits: configuration.limits)
        let directory = try directory(host, host.plugins())
        if let engine = arguments[Options.ofEngine] {
            do {
                _ = try directory.engine(VoiceWish(engine: engine))
            } catch {
                throw CommandFailure(error)
            }
        }
        let voices = directory.voices.filter { voice in
            let isOfEngine = arguments[Options.ofEngine].map { $0 == voice.engine } ?? true
            return isOfEngine && (arguments[Options.inLanguage].map(voice.speaks) ?? true)
        }
        let chosen = try? directory.choose(
            VoiceWish(
                preferredEngine: configuration.engine, remembered: configuration.voices,
                localeLanguage: configuration.language ?? LocaleLanguage.tag(environment: context.environment))
        ).voice
        if arguments[Options.json] {
            return try context.print(try JSONText.line(of: voices.map { VoiceResult($0, isChosen: $0 == chosen) }))
        }
        guard !voices.isEmpty else {
            throw CommandFailure(.unavailable, "There is no such voice.", "`synthhost voices` lists all of them.")
        }
        try context.print(table(voices, chosen: chosen).render(for: context.output))
    }

    private func directory(_ host: SpeechHost, _ plugins: [PluginFile]) throws(CommandFailure) -> VoiceDirectory {
        guard arguments[Options.all] else { return host.readyVoices(plugins) }
        do {
            return try host.allVoices(plugins)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func table(_ voices: [Voice], chosen: Voice?) -> Table {
        let showsIDs = arguments[Options.ids]
        var columns: [Table.Column] = [.init(""), .init("VOICE")]
        if showsIDs { columns.append(.init("ID")) }
        columns += [.init("LANGUAGE"), .init("GENDER"), .init("SPEAKERS", alignment: .trailing), .init("ENGINE")]
        var table = Table(columns: columns)
        for voice in voices {
            var row = [voice == chosen ? "*" : "", voice.title]
            if showsIDs { row.append(voice.id) }
            let speakers = voice.speakers.count
            row += [
                voice.language, voice.gender?.rawValue ?? "", speakers > 1 ? "\(speakers)" : "",
                voice.engine,
            ]
            table.append(row)
        }
        return table
    }
}
