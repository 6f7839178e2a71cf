import ModelStore
import SynthHost
import System
import VoiceCatalogue

/// Has the voices that are here follow one that changed the precision of the model that they share: two precisions
/// would take room twice, and their voices could not be blended.
struct PrecisionChange {
    private let library: VoiceLibrary
    private let download: VoiceDownload

    init(_ library: VoiceLibrary, _ download: VoiceDownload) {
        self.library = library
        self.download = download
    }

    /// What names the precision in a command to type; empty where none was asked for.
    static func words(_ arguments: ParsedArguments) -> String {
        arguments[Options.precision].map { " --precision \(ShellWord.quoted($0))" } ?? ""
    }

    /// The same for a voice on another model than it comes with.
    static func words(of voice: Voice) -> String {
        guard let model = voice.model, model.variantOf != nil, let precision = model.precision else { return "" }
        return " --precision \(ShellWord.quoted(precision))"
    }

    /// Nothing is downloaded for it but what one of the others may miss.
    ///
    /// - Returns: what to tell.
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
