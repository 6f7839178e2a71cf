import Glibc
import SynthAudio
import SynthListening
import SynthSpeech
import SynthSystem
import SynthUserVoices

/// A complete microphone session, which runs on a thread that may block.
struct ListeningWork: Sendable {
    let options: ListeningOptions

    /// - Parameters:
    ///   - isCancelled: returns true if listening must end.
    ///   - stopping: registers a callback that stops listening immediately and can be called from any thread.
    ///   - gate: called once the model has been loaded. The microphone opens when the closure returns.
    ///   - tell: receives each event. It is called on two threads, possibly concurrently.
    func run(
        by source: RecognizerSource, unless isCancelled: @escaping @Sendable () -> Bool,
        stopping: (@escaping @Sendable () -> Void) -> Void, gate: () -> Void = {},
        _ tell: @escaping @Sendable (SpeechListening.Event) -> Void
    ) throws(SpeechError) {
        let microphoneTranscription = source.microphoneTranscription(
            language: options.language, expecting: options.expecting,
            prompt: options.prompt, words: options.words)
        stopping { microphoneTranscription.cancel() }
        tell(.loading)
        let recording = try Recording(
            options.record, rate: microphoneTranscription.rate, sparing: microphoneTranscription.inUse)
        let before = Monitor("")
        var speech: RecognizedSpeech
        try microphoneTranscription.prepare()
        gate()
        if isCancelled() { return }
        speech = try microphoneTranscription.listen(
            on: options.microphone, options.limits, keepsSound: recording != nil,
            unless: isCancelled
        ) { update in
            if let event = Self.event(update, before) { tell(event) }
        }
        if isCancelled() { return }
        do {
            speech.recordingPath = try recording?.write(speech.recording)
        } catch {
            tell(.final(speech))
            throw error
        }
        tell(.final(speech))
        if let path = speech.recordingPath { tell(.recording(path: path)) }
    }

    /// Discards an event that no reader will receive and deletes the temporary recording that it refers to, if any.
    func drop(_ event: SpeechListening.Event) {
        guard case .temporary = options.record.kind, case .final(let speech) = event, let path = speech.recordingPath
        else { return }
        unlink(path)
    }

    private static func event(_ update: Listener.Event, _ before: Monitor<String>) -> SpeechListening.Event? {
        switch update {
        case .listening: return .listening
        case .level(let level): return .level(decibels: level.value)
        case .speechBegins: return .speechStarted
        case .understanding: return .understanding
        case .detectorFails, .recognizerFails: return nil
        case .partial, .text:
            guard let words = update.words, !words.isEmpty else { return nil }
            var isFinal = false
            if case .text = update { isFinal = true }
            return .partial(
                before.update { before in
                    let all = before.isEmpty ? words : "\(before) \(words)"
                    if isFinal { before = all }
                    return all
                })
        }
    }
}

/// A recording's output file. It is created before listening starts and renamed when it is complete.
private struct Recording {
    private let path: String
    private let sink: any AudioSink

    /// - Returns: nil if no recording was requested.
    init?(_ asked: ListeningOptions.Record, rate: UInt32, sparing inUse: FilesInUse) throws(SpeechError) {
        switch asked.kind {
        case .nothing: return nil
        case .temporary: path = Self.newPath()
        case .file(let file): path = file
        }
        do {
            sink = try SoundFileOptions(try SoundFileFormat.of(path: path)).sink(
                path: path, sparing: inUse, mode: 0o600)
            try sink.begin(AudioFormat(sampleRate: Int(rate), channels: 1))
        } catch {
            throw SpeechError(error)
        }
    }

    /// Returns a path with an unpredictable name, so that no other program can have created the file in advance.
    private static func newPath() -> String {
        let folder = ProcessEnvironment().variables["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let name = String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)
        return "\(folder)/speech-\(name).wav"
    }

    /// - Returns: the path, or nil if the recording is empty, in which case no file is written.
    func write(_ samples: [Float]) throws(SpeechError) -> String? {
        if samples.isEmpty { return nil }
        do {
            try sink.write(samples[...])
            try sink.finish()
        } catch {
            // Delete the incomplete file: it is useless, and the user does not know that it exists.
            if case .outputInUse = error {} else { sink.deleteIncompleteFile() }
            throw SpeechError(error)
        }
        return path
    }
}
