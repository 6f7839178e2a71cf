package import SynthCatalogue
import SynthModelStore
package import SynthSystem

/// Errors in operations on the user's voices. Titles are the names shown to users.
extension SpeechError {
    /// A client of the service sent an unknown voice key, which can have any length.
    package static func voiceKeyUnknown(_ key: String) -> SpeechError {
        SpeechError(
            .voiceKeyUnknown, "No voice is called \"\(key.prefix(80))\".", Facts(name: String(key.prefix(80))),
            remedy: .listVoices)
    }

    /// The voice is built into its engine.
    package static func voiceBuiltIn(_ title: String, engine: String) -> SpeechError {
        SpeechError(
            .voiceBuiltIn, "\(title) is built into \(engine) and has no files.", Facts(voice: title, engine: engine),
            remedy: .listInstalled)
    }

    /// The voice has no files on this machine.
    package static func voiceNotInstalled(_ title: String) -> SpeechError {
        SpeechError(
            .voiceNotInstalled, "\(title) is not downloaded.", Facts(voice: title), remedy: .listInstalled)
    }

    /// The voice cannot be removed while it is being downloaded.
    package static func voiceIsDownloading(_ title: String) -> SpeechError {
        SpeechError(.voiceInUse, "\(title) is being downloaded. Cancel the download first.", Facts(voice: title))
    }

    /// The voice cannot be removed while it or another voice with the same model is speaking.
    package static func voiceIsSpeaking(_ title: String) -> SpeechError {
        SpeechError(
            .voiceInUse, "\(title), or another voice with the same model, is speaking. Wait until it has finished.",
            Facts(voice: title))
    }

    /// The voice cannot become the default until it is downloaded.
    package static func voiceNotReady(_ title: String, key: String) -> SpeechError {
        SpeechError(
            .voiceNotDownloaded, "\(title) is not downloaded. Download it first.", Facts(voice: title),
            remedy: .downloadVoice(key))
    }

    package static func downloadFailed(_ title: String, _ error: SpeechError) -> SpeechError {
        // A file name is meaningless to a user who requested a voice.
        let reason: String? =
            if case .notDownloaded(let failure)? = error.cause as? StoreError { failure.cause.words } else { nil }
        return error.reworded(
            reason.map { "\(title) was not downloaded: \($0)." } ?? "\(title) was not downloaded. \(error.message)",
            code: error.code == .filesBusy ? nil : .downloadFailed
        ) { $0.voice = title }
    }

    package static func removalFailed(_ title: String, _ error: SpeechError) -> SpeechError {
        error.reworded(
            "\(title) was not removed. \(error.message)", code: error.code == .filesBusy ? nil : .removalFailed
        ) { $0.voice = title }
    }

    /// The name refers to a speaker or a blend, but a single voice is required. `words` contains the names to type for
    /// the individual voices.
    package static func voiceNotSingle(_ name: String, isBlend: Bool, words: [String]) -> SpeechError {
        SpeechError(
            .voiceNotSingle,
            isBlend
                ? "\"\(name)\" is a blend, but a single voice is needed."
                : "\"\(name)\" is one speaker of a voice, but a complete voice is needed.",
            Facts(name: name, candidates: words), remedy: .chooseVoiceOf(words))
    }

    /// The voice is not available in this precision. `known` lists the voice with each of its available models.
    package static func precisionUnknown(_ precision: String, title: String, known: [Voice]) -> SpeechError {
        let names = known.compactMap { voice in voice.model?.precision.map { (name: $0, size: voice.downloadSize) } }
        return SpeechError(
            .precisionUnknown,
            known.isEmpty ? "\(title) has only one precision." : "\(title) is not available in \(precision).",
            Facts(name: precision, voice: title, candidates: names.map(\.name)),
            remedy: known.isEmpty
                ? .omitPrecision : .choosePrecision(names.map { "\($0.name) (\(ByteCount.words($0.size)))" }))
    }
}
