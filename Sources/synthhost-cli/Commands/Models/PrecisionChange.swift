import ModelStore
import SynthHost
import System
import VoiceCatalogue

/// Moves the installed voices to the precision that one of them now uses for the model that they share. Two precisions
/// would take space twice, and their voices could not be blended.
struct PrecisionChange {
    private let library: VoiceLibrary
    private let download: VoiceDownload

    init(_ library: VoiceLibrary, _ download: VoiceDownload) {
        self.library = library
        self.download = download
    }

    /// The option for the precision in a command to type; empty if none was requested.
    static func words(_ arguments: ParsedArguments) -> String {
        arguments[Options.precision].map { " --precision \(ShellWord.quoted($0))" } ?? ""
    }

    /// The same for a voice whose model is not its default.
    static func words(of voice: Voice) -> String {
        guard let model = voice.model, model.variantOf != nil, let precision = model.precision else { return "" }
        return " --precision \(ShellWord.quoted(precision))"
    }

    /// Downloads only what the other voices still miss.
    ///
    /// - Returns: messages for the user.
    func follow(_ voices: [Voice]) throws(CommandFailure) -> [String] {
        var told: [String] = []
        for model in voices.compactMap(\.model) {
            let others = library.registry.voices.filter { voice in
                voice.model?.family == model.family && library.condition(of: voice) == .ready
                    && !library.store.isInstalled(voice.using(model))
            }
            for voice in others { try download.pull(voice.using(model), word: library.word(for: voice)) }
            for old in library.registry.models where old.family == model.family && old.id != model.id {
                guard let unused = library.store.unusedBytes(of: old) else { continue }
                told.append(
                    "The model in \(old.precision ?? old.id) (\(ByteCount.words(unused))) is not needed any more: "
                        + "synthhost models prune")
            }
        }
        var seen: Set<String> = []
        return told.filter { seen.insert($0).inserted }
    }
}
