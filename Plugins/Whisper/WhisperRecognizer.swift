import CSynthEngine
public import EngineKit
import SynthRecognizerParts

/// Transcribes speech with the published Whisper models in ONNX, as exported by Optimum, in any size and precision.
struct WhisperRecognizer: RecognizerPlugin {
    static var description: RecognizerDescription {
        RecognizerDescription(
            id: "whisper", name: "Whisper", version: "0.1.0", license: "Apache-2.0 AND MIT",
            url: "https://github.com/openai/whisper",
            capabilities: [
                .transcribes, .givesPartials, .timesWords, .detectsLanguage, .translates, .heedsHints, .punctuates,
                .isDeterministic,
            ],
            // Lanes share the weights, but each lane needs memory for its audio.
            maximumLanes: 4, sampleRate: LogMel.rate,
            roles: [
                FileRole(WhisperRole.encoder, scope: .model), FileRole(WhisperRole.decoder, scope: .model),
                FileRole(WhisperRole.tokenizer, scope: .model),
                FileRole(WhisperRole.configuration, scope: .model, isOptional: true),
            ])
    }

    static func load(_ files: ModelFiles) throws -> WhisperListeningModel {
        let paths = WhisperFiles(
            encoder: try files.files.path(WhisperRole.encoder), decoder: try files.files.path(WhisperRole.decoder),
            tokenizer: try files.files.path(WhisperRole.tokenizer),
            configuration: files.files[WhisperRole.configuration])
        let transcriber = try WhisperTranscriber(paths, threads: files.threads, cacheDirectory: files.cacheDirectory)
        EngineLog.debug(transcriber.note)
        return WhisperListeningModel(transcriber: transcriber)
    }
}

/// A loaded model, which all lanes share.
struct WhisperListeningModel: ListeningModel {
    let transcriber: WhisperTranscriber

    func open() -> WhisperLane { WhisperLane(transcriber: transcriber) }
}

/// The recognizer's entry point; `nil` for an unsupported ABI version.
@c @implementation
public func synth_recognizer_entry(_ abi: UInt32, _ host: EngineHost?) -> RecognizerTable? {
    WhisperRecognizer.table(abi: abi, host: host)
}

/// An audio stream that is being transcribed.
struct WhisperLane: ListeningLane {
    let transcriber: WhisperTranscriber

    func recognize(
        _ request: RecognitionRequest, from sound: borrowing SoundInput, to hearing: borrowing RecognitionOutput
    ) throws {
        // The transcriber throws its own error when it is stopped, so errors from the host's calls are stored and
        // rethrown unchanged.
        var thrown: (any Error)?
        var hasSaid = false
        let stop = transcriber.makeStop()
        do {
            try hearing.interrupting({ stop.stop() }) {
                _ = try transcriber.transcribe(
                    read: { most in
                        do {
                            return try sound.read(most: most)
                        } catch {
                            thrown = error
                            throw Stopped()
                        }
                    }, ready: { sound.ready }, isComplete: { sound.isComplete }, Self.options(request), stop: stop,
                    report: { event in
                        do {
                            try Self.tell(event, to: hearing)
                            if case .segment = event { hasSaid = true }
                            return true
                        } catch {
                            thrown = error
                            return false
                        }
                    })
            }
        } catch {
            throw thrown ?? error
        }
        if !hasSaid { try hearing.final(RecognizedText("", frames: 0..<sound.frame)) }
    }

    private static func tell(_ event: TranscriptionEvent, to hearing: borrowing RecognitionOutput) throws {
        switch event {
        case .progress(let done): try hearing.progress(Float(done))
        case .partial(let text, let stable, let seconds):
            try hearing.partial(RecognizedText(text, frames: frames(seconds)), stable: stable)
        case .segment(let segment): try hearing.final(text(segment))
        case .leftOut(let segment, let reason): try hearing.leftOut(text(segment), because: reason)
        }
    }

    private static func text(_ segment: TranscribedSegment) -> RecognizedText {
        var recognized = RecognizedText(
            segment.text, frames: frames(segment.seconds),
            words: segment.words.prefix(maximumWords).map { word in
                SpokenWord(word.bytes, frames: frames(word.seconds), confidence: Float(word.confidence))
            }, confidence: Float(segment.confidence), language: segment.language)
        recognized.quietProbability = Float(segment.probabilityOfQuiet)
        recognized.repetition = Float(segment.repetition)
        recognized.temperature = Float(segment.temperature)
        return recognized
    }

    /// The maximum number of words per text, as defined in the C header.
    private static let maximumWords = 2048

    private static func frames(_ seconds: ClosedRange<Double>) -> Range<UInt64> {
        let rate = Double(LogMel.rate)
        return UInt64(max(0, seconds.lowerBound * rate))..<UInt64(max(0, seconds.upperBound * rate))
    }

    static func options(_ request: RecognitionRequest) -> DecodingOptions {
        var options = DecodingOptions()
        options.language = request.language
        options.toEnglish = request.translatesToEnglish
        options.wantsWords = request.wants.contains(.words)
        options.wantsPartials = request.isLive && request.wants.contains(.partials)
        options.showsSearch = !request.isLive && request.wants.contains(.partials)
        // Numbers and names are returned as a single segment.
        options.isTimed = request.hints.kind == .text
        options.isBrief = request.isLive && !options.isTimed
        // With a width of 5, tiny.en makes a quarter to a third fewer mistakes than with a width of 1 but takes about
        // 1.5 times as much CPU time.
        options.width = options.isBrief ? 1 : 5
        options.hints = request.hints.context
        options.phrases = request.hints.phrases
        return options
    }
}
