package import SynthCatalogue
import SynthModelStore
package import SynthSystem

/// Why something cannot be done with a voice of this user. A title is the name that people read.
extension SpeechError {
    /// The client of a service named a voice by this key, which may have any length.
    package static func voiceKeyUnknown(_ key: String) -> SpeechError {
        SpeechError(
            .voiceKeyUnknown, "There is no voice \"\(key.prefix(80))\".", Facts(name: String(key.prefix(80))),
            remedy: .listVoices)
    }

    /// Its engine speaks it without any file.
    package static func voiceBuiltIn(_ title: String, engine: String) -> SpeechError {
        SpeechError(
            .voiceBuiltIn, "\(title) is built into \(engine) and has no files.", Facts(voice: title, engine: engine),
            remedy: .listInstalled)
    }

    /// It has no files on this machine.
    package static func voiceNotInstalled(_ title: String) -> SpeechError {
        SpeechError(
            .voiceNotInstalled, "\(title) is not downloaded.", Facts(voice: title), remedy: .listInstalled)
    }

    /// What is to be removed is being downloaded.
    package static func voiceIsDownloading(_ title: String) -> SpeechError {
        SpeechError(.voiceInUse, "\(title) is being downloaded. Cancel that first.", Facts(voice: title))
    }

    /// What is to be removed speaks, or another voice of its model does.
    package static func voiceIsSpeaking(_ title: String) -> SpeechError {
        SpeechError(
            .voiceInUse, "\(title), or another voice of its model, speaks now. Wait until it is silent.",
            Facts(voice: title))
    }

    /// It must be downloaded before it can be chosen.
    package static func voiceNotReady(_ title: String, key: String) -> SpeechError {
        SpeechError(
            .voiceNotDownloaded, "\(title) is not downloaded. Download it first.", Facts(voice: title),
            remedy: .downloadVoice(key))
    }

    package static func downloadFailed(_ title: String, _ error: SpeechError) -> SpeechError {
        // The name of the file says nothing to who asked for a voice.
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

    /// The name means a speaker, or a blend, and one voice is meant; what to type for its voices.
    package static func voiceNotSingle(_ name: String, isBlend: Bool, words: [String]) -> SpeechError {
        SpeechError(
            .voiceNotSingle,
            isBlend
                ? "\"\(name)\" is a blend, and one voice is meant here."
                : "\"\(name)\" is one speaker of a voice, and the whole voice is meant here.",
            Facts(name: name, candidates: words), remedy: .chooseVoiceOf(words))
    }

    /// The voice does not come in this precision; the voices with the models that it comes in.
    package static func precisionUnknown(_ precision: String, title: String, known: [Voice]) -> SpeechError {
        let names = known.compactMap { voice in voice.model?.precision.map { (name: $0, size: voice.downloadSize) } }
        return SpeechError(
            .precisionUnknown,
            known.isEmpty ? "\(title) comes in one precision only." : "\(title) does not come in \(precision).",
            Facts(name: precision, voice: title, candidates: names.map(\.name)),
            remedy: known.isEmpty
                ? .omitPrecision : .choosePrecision(names.map { "\($0.name) (\(ByteCount.words($0.size)))" }))
    }
}
