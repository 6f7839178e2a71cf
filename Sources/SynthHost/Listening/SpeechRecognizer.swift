public import Synthesis
import System
import UserVoices

/// A recognizer with a model: loaded when it first listens, and warm until it is let go. Any thread or task may use it.
public final class SpeechRecognizer: Sendable {
    let source: HearingSource
    /// What is spoken if the options do not say.
    private let language: String?

    init(_ source: HearingSource, language: String?) {
        self.source = source
        self.language = language
    }

    /// Loads the model now, so that the first words need not wait for it.
    public func warmUp() async throws(SpeechError) {
        let source = source
        try await onThread("recognizer") { () -> Result<Void, SpeechError> in
            do throws(SpeechError) { return .success(try source.warmUp()) } catch { return .failure(error) }
        }.get()
    }

    /// Listens to a microphone, from the first read on.
    public func listen(_ options: ListeningOptions = ListeningOptions()) -> SpeechListening {
        let source = source
        var options = options
        options.language = options.language ?? language
        return SpeechListening(options) { () throws(SpeechError) in source }
    }

    /// Understands a sound file, from the first read on.
    public func transcribe(
        _ path: String, _ options: TranscriptionOptions = TranscriptionOptions()
    ) -> SpeechTranscription {
        let source = source
        var options = options
        options.language = options.language ?? language
        return SpeechTranscription(path, options) { () throws(SpeechError) in source }
    }
}

extension SpeechHost {
    /// A recognizer with a model that listens, and stays loaded as long as the program keeps it.
    ///
    /// - Parameters:
    ///   - model: its id or name; nil = that of the configuration, or the first that suits.
    ///   - language: what is spoken (BCP-47) unless the options say otherwise; nil = not known.
    /// - Throws: `listening` if there is none, or its files are not here.
    public func recognizer(
        _ model: String? = nil, language: String? = nil
    ) async throws(SpeechError) -> SpeechRecognizer {
        let backend = backend
        return try await onThread("speech-host") { () -> Result<SpeechRecognizer, SpeechError> in
            do throws(SpeechError) {
                let source = try backend.hearing(model: model, language: language)
                return .success(SpeechRecognizer(source, language: language))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Listens to a microphone, from the first read on, with a recognizer that is let go afterwards. Who listens again and again
    /// keeps a ``recognizer(_:language:)``.
    public func listen(_ options: ListeningOptions = ListeningOptions()) -> SpeechListening {
        let backend = backend
        return SpeechListening(options) { () throws(SpeechError) in
            try backend.hearing(model: nil, language: options.language)
        }
    }

    /// Understands a sound file, from the first read on, with a recognizer that is let go afterwards.
    public func transcribe(
        _ path: String, _ options: TranscriptionOptions = TranscriptionOptions()
    ) -> SpeechTranscription {
        let backend = backend
        return SpeechTranscription(path, options) { () throws(SpeechError) in
            try backend.hearing(model: nil, language: options.language)
        }
    }
}
