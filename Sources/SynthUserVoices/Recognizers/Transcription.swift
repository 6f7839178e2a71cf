import Glibc
package import SynthAudio
import SynthCatalogue
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthListening
package import SynthSystem

/// Transcribes audio files with a recognizer. Can be stopped from any thread.
package final class Transcription: Sendable {
    /// The recognizer's input sample rate in hertz.
    package var rate: UInt32 { source.facts.rate }
    private let source: RecognizerSource
    private let request: RecognitionJob
    private let splitsChannels: Bool

    init(_ source: RecognizerSource, _ request: RecognitionJob, splitsChannels: Bool) {
        self.splitsChannels = splitsChannels
        self.source = source
        self.request = request
    }

    /// The duration in seconds stated in a file, or nil if the file does not state it. Opens the file and therefore
    /// throws if it is unreadable.
    package func seconds(of clip: ClipFile) throws(AudioError) -> Double? {
        try source.sounds.seconds(of: clip, rate: rate)
    }

    /// A fingerprint of the file, the model and all settings that affect the transcript.
    package func subject(_ clip: ClipFile) -> String {
        [
            "synthhost \(hostVersion)", absolutePath(clip.path), fileState(clip.path), source.facts.identity,
            request.language ?? "", request.isTranslated ? "translated" : "",
            request.wants.contains(.words) ? "words" : "", splitsChannels ? "split" : "",
            request.hints == RecognitionJobHints()
                ? ""
                : ContentHash(([request.hints.context ?? ""] + request.hints.phrases).joined(separator: "\n").utf8)
                    .hexadecimal,
        ].joined(separator: "|")
    }

    /// Transcribes a file in chunks; see `Transcriber.run`.
    package func run(
        _ clip: ClipFile, skipping done: Int, unless isStopped: @escaping @Sendable () -> Bool,
        stopping: (@escaping @Sendable () -> Void) -> Void = { _ in }, _ piece: (TranscribedPiece) -> Bool
    ) throws(SpeechError) {
        let (source, rate, splitsChannels) = (source, rate, splitsChannels)
        let taken = Monitor<[any RecognitionLane]>([])
        let transcriber = Transcriber(
            rate: rate, longest: source.facts.longestPiece, lanes: source.facts.lanes, gate: source.gate
        ) { () throws(SpeechError) in
            let lane = try rethrowing(source.takeLane(), as: SpeechError.ofRecognizer)
            taken.update { $0.append(lane) }
            return lane
        }
        defer { for lane in taken.read({ $0 }) where lane.isAlive { source.release(lane) } }
        try transcriber.run(
            request, skipping: done, unless: isStopped, stopping: stopping,
            { () throws(SpeechError) in
                try rethrowing(
                    source.sounds.sound(of: clip, rate: rate, splitsChannels: splitsChannels),
                    as: AudioError.recordingError)
            }, piece)
    }

    /// Stops the recognizer's processes immediately, so that `run` throws. Never blocks.
    package func end() { source.end() }
}

extension HostSnapshot {
    /// Opens a recording before a model is chosen, so that an unreadable file is reported before a missing model.
    package func opened(_ recording: ClipFile) throws(AudioError) -> ClipReader {
        try MachineSounds(media: host.media).opened(recording, rate: 16_000)
    }

    /// Creates a recognizer with its model, using this machine's devices and files.
    ///
    /// - Parameter onLog: receives the recognizer's log lines.
    package func source(
        of choice: RecognizerChoice, onLog: @escaping @Sendable (String) -> Void
    ) throws(SpeechError) -> RecognizerSource {
        let (recognizer, load) = recognizer(of: choice, onLog: onLog)
        let own = host.language.flatMap { choice.model.understands($0) ? $0 : nil }
        var facts = RecognizerSource.Facts(
            rate: choice.rate, language: own ?? choice.model.languages.first ?? "en")
        facts.longestPiece = choice.longestPiece
        facts.lanes = choice.lanes
        facts.vocabulary = try vocabulary()
        facts.inUse = host.inUse
        let files = load.files.map { "\($0.role) \(fileState($0.path))" }.joined(separator: ";")
        let detector = detector(rate: choice.rate).map { self.recognizer(of: $0, onLog: onLog) }
        facts.identity = [
            recognizer.file, fileState(recognizer.file), load.id, files, detector.map { fileState($0.0.file) } ?? "",
            host.media.decoder.map { fileState($0) } ?? "",
        ].joined(separator: "|")
        var openDetector: (@Sendable () throws(EngineFailure) -> any RecognitionLane)?
        if let (detector, load) = detector {
            openDetector = { () throws(EngineFailure) in try detector.openLane(on: load) }
        }
        return RecognizerSource(
            facts, from: MachineSounds(media: host.media), host.verbalizers,
            openLane: { () throws(EngineFailure) in try recognizer.openLane(on: load) },
            openDetector: openDetector,
            abandon: {
                recognizer.abandon()
                detector?.0.abandon()
            })
    }

    /// Returns the recognizer and the load request for a choice. All callers share the recognizer's processes.
    package func sharedRecognizer(of choice: RecognizerChoice) -> (Recognizer, LoadRequest) {
        let (own, load) = recognizer(of: choice) { _ in }
        return (host.recognizers.plugin(of: choice.file) { own } ?? own, load)
    }

    private func recognizer(
        of choice: RecognizerChoice, onLog: @escaping @Sendable (String) -> Void
    ) -> (Recognizer, LoadRequest) {
        var files: [HandedFile] = []
        if case .ready(let found) = choice.state { files = found }
        for file in files { host.inUse.add(path: file.path, as: .voice) }
        let cache = preparedFolder(of: choice.recognizer.id, .recognizer)
        let recognizer = Recognizer(
            file: choice.file, description: choice.recognizer, program: host.workerProgram, limits: host.limits,
            allowing: host.allowed(choice.recognizer, at: choice.file), onLog: { _, line in onLog(line) })
        let load = LoadRequest(
            id: choice.model.id, cacheDirectory: cache, files: files)
        return (recognizer, load)
    }
}

/// The properties of a file that change with its contents. They exclude the device number, which may change on reboot.
private func fileState(_ path: String) -> String {
    FileIdentity(path: path).map { $0.numbers.dropFirst().prefix(4).map(String.init).joined(separator: ",") } ?? ""
}
