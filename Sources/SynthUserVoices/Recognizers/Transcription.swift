import Glibc
package import SynthAudio
import SynthCatalogue
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthListening
package import SynthSystem

/// Understands sound files by a recognizer. Any thread may end it.
package final class Transcription: Sendable {
    /// Of the sound that it is given, in hertz.
    package var rate: UInt32 { source.facts.rate }
    private let source: HearingSource
    private let request: HearingRequest
    private let splitsChannels: Bool

    init(_ source: HearingSource, _ request: HearingRequest, splitsChannels: Bool) {
        self.splitsChannels = splitsChannels
        self.source = source
        self.request = request
    }

    /// How long a file says that it lasts, in seconds; nil = it does not say. Opens it, so that what cannot be read is known.
    package func seconds(of clip: ClipFile) throws(AudioError) -> Double? {
        try source.sounds.seconds(of: clip, rate: rate)
    }

    /// A line that changes with all that changes what is understood of a file.
    package func subject(_ clip: ClipFile) -> String {
        [
            "synthhost \(hostVersion)", absolutePath(clip.path), fileState(clip.path), source.facts.identity,
            request.language ?? "", request.isTranslated ? "translated" : "",
            request.wants.contains(.words) ? "words" : "", splitsChannels ? "split" : "",
            request.hints == HearingHints()
                ? ""
                : ContentHash(([request.hints.context ?? ""] + request.hints.phrases).joined(separator: "\n").utf8)
                    .hexadecimal,
        ].joined(separator: "|")
    }

    /// Understands a file in pieces: see `Transcriber.run`.
    package func run(
        _ clip: ClipFile, skipping done: Int, unless isStopped: @escaping @Sendable () -> Bool,
        stopping: (@escaping @Sendable () -> Void) -> Void = { _ in }, _ piece: (TranscribedPiece) -> Bool
    ) throws(SpeechError) {
        let (source, rate, splitsChannels) = (source, rate, splitsChannels)
        let taken = Monitor<[any HearingLane]>([])
        let transcriber = Transcriber(
            rate: rate, longest: source.facts.longestPiece, lanes: source.facts.lanes, gate: source.gate
        ) { () throws(SpeechError) in
            let lane = try rethrowing(source.takeLane(), as: SpeechError.ofRecognizer)
            taken.update { $0.append(lane) }
            return lane
        }
        defer { for lane in taken.read({ $0 }) where lane.isAlive { source.giveBack(lane) } }
        try transcriber.run(
            request, skipping: done, unless: isStopped, stopping: stopping,
            { () throws(SpeechError) in
                try rethrowing(
                    source.sounds.sound(of: clip, rate: rate, splitsChannels: splitsChannels),
                    as: AudioError.recordingError)
            }, piece)
    }

    /// Ends the processes of its recognizer at once; `run` throws. Never blocks.
    package func end() { source.end() }
}

extension Inventory {
    /// Opens a recording, so that one that cannot be read is known before a model is chosen.
    package func opened(_ recording: ClipFile) throws(AudioError) -> ClipReader {
        try MachineSounds(media: host.media).opened(recording, rate: 16_000)
    }

    /// - Parameters:
    ///   - language: what is spoken (BCP-47); nil = the recognizer finds out.
    ///   - isTranslated: the text is to be English.
    ///   - timesWords: whether words get times, which some recognizers find in a second look.
    ///   - prompt: what was said before, or a sentence with names and terms.
    ///   - words: names and terms that may occur, beside the user's own vocabulary.
    ///   - splitsChannels: whether each channel is understood by itself; else they are mixed.
    ///   - onLog: gets the lines that the recognizer logs.
    package func transcription(
        by choice: HearingChoice, language: String?, isTranslated: Bool, timesWords: Bool,
        prompt: String? = nil, words: [String] = [], splitsChannels: Bool = false,
        onLog: @escaping @Sendable (String) -> Void
    ) throws(SpeechError) -> Transcription {
        try source(of: choice, onLog: onLog).transcription(
            language: language, isTranslated: isTranslated, timesWords: timesWords, prompt: prompt, words: words,
            splitsChannels: splitsChannels)
    }

    /// A recognizer with its model, for the devices and files of this machine.
    package func source(
        of choice: HearingChoice, onLog: @escaping @Sendable (String) -> Void
    ) throws(SpeechError) -> HearingSource {
        let (recognizer, load) = recognizer(of: choice, onLog: onLog)
        let own = host.language.flatMap { choice.model.understands($0) ? $0 : nil }
        var facts = HearingSource.Facts(
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
        var openDetector: (@Sendable () throws(EngineFailure) -> any HearingLane)?
        if let (detector, load) = detector {
            openDetector = { () throws(EngineFailure) in try detector.openLane(on: load) }
        }
        return HearingSource(
            facts, hearing: MachineSounds(media: host.media), host.verbalizers,
            openLane: { () throws(EngineFailure) in try recognizer.openLane(on: load) },
            openDetector: openDetector,
            abandon: {
                recognizer.abandon()
                detector?.0.abandon()
            })
    }

    /// A recognizer whose processes all share that ask for it, and what it loads.
    package func sharedRecognizer(of choice: HearingChoice) -> (Recognizer, LoadRequest) {
        let (own, load) = recognizer(of: choice) { _ in }
        return (host.recognizers.plugin(of: choice.file) { own } ?? own, load)
    }

    /// A recognizer, and what it loads.
    private func recognizer(
        of choice: HearingChoice, onLog: @escaping @Sendable (String) -> Void
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

/// What changes with a file. Devices may have other numbers after the machine has started anew.
private func fileState(_ path: String) -> String {
    FileIdentity(path: path).map { $0.numbers.dropFirst().prefix(4).map(String.init).joined(separator: ",") } ?? ""
}
