import EngineWire
import Engines
import SynthHost

/// What `synthhost help --completions` prints.
enum CompletionText {
    static func render(_ subject: CompletionSubject, in context: CommandContext) throws(CommandFailure) -> String {
        switch subject {
        case .bash: BashCompletion.render()
        case .zsh: ZshCompletion.render()
        case .fish: FishCompletion.render()
        case .engines: try names(in: context) { $0.engines.map(\.id) }
        case .voices: try names(in: context) { $0.voices.map(\.title) }
        }
    }

    /// One per line, each once. What a scan learned before is not asked again: a shell waits for the answer.
    private static func names(
        in context: CommandContext, of list: (VoiceDirectory) -> [String]
    ) throws(CommandFailure) -> String {
        let arguments = ParsedArguments()
        let configuration = try context.configuration(arguments)
        let plugins = try context.host(arguments, limits: configuration.limits).plugins()
        var seen: Set<String> = []
        return list(VoiceDirectory(engines: plugins.compactMap(\.engine))).filter { seen.insert($0).inserted }
            .joined(separator: "\n")
    }
}
