import EngineProcesses
package import EngineWire
import Glibc
package import Listening
package import Recognizers
package import SynthAudio
import System
package import VoiceCatalogue

/// A recognizer with a model, ready to understand sound files. Its process starts with the first. Any thread may end it.
package final class Transcription: Sendable {
    package let model: HearingModel
    /// Of the sound that it is given, in hertz.
    package let rate: UInt32
    private let recognizer: Recognizer
    private let load: LoadRequest
    private let request: HearingRequest
    private let longest: Double
    private let lanes: Int

    /// Longer sounds end with an error.
    package static let longestSound = Duration.seconds(24 * 60 * 60)

    fileprivate init(_ recognizer: Recognizer, _ load: LoadRequest, _ choice: HearingChoice, _ request: HearingRequest)
    {
        self.recognizer = recognizer
        self.load = load
        self.request = request
        model = choice.model
        rate = choice.rate
        longest = choice.longestPiece
        lanes = choice.lanes
    }

    /// How long a file says that it lasts, in seconds; nil = it does not say. Opens it, so that what cannot be read is known.
    package func seconds(of clip: ClipFile) throws(ClipError) -> Double? {
        try ClipReader(
            clip, as: AudioFormat(sampleRate: Int(rate), channels: 1), longest: Self.longestSound
        ).statedSeconds
    }

    /// A line that changes with all that changes what is understood of a file.
    package func subject(_ clip: ClipFile) -> String {
        // Devices may have other numbers after the machine has started anew.
        func state(_ path: String) -> String {
            var status = stat()
            guard stat(path, &status) == 0 else { return "" }
            return "\(status.st_ino),\(status.st_size),\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        }
        let files = load.files.map { "\($0.role) \(state($0.path))" }.joined(separator: ";")
        return [
            "synthhost \(hostVersion)", absolutePath(clip.path), state(clip.path), recognizer.file,
            state(recognizer.file), load.id,
            files, request.language ?? "", request.isTranslated ? "translated" : "",
        ].joined(separator: "|")
    }

    /// Understands a file in pieces: see `Transcriber.run`.
    package func run(
        _ clip: ClipFile, skipping done: Int, unless isStopped: @escaping @Sendable () -> Bool,
        _ piece: (TranscribedPiece) -> Bool
    ) throws(Transcriber.Failure) {
        let (recognizer, load, rate) = (recognizer, load, rate)
        let transcriber = Transcriber(rate: rate, longest: longest, lanes: lanes) { () throws(EngineFailure) in
            try recognizer.openLane(on: load)
        }
        try transcriber.run(
            request, skipping: done, unless: isStopped,
            { () throws(ClipError) in try FileSound(clip, rate: rate, longest: Self.longestSound) }, piece)
    }

    /// Ends its processes at once; `run` throws. Never blocks.
    package func end() { recognizer.abandon() }
}

extension Inventory {
    /// - Parameters:
    ///   - language: what is spoken (BCP-47); nil = the recognizer finds out.
    ///   - isTranslated: the text is to be English.
    ///   - onLog: gets the lines that the recognizer logs.
    package func transcription(
        by choice: HearingChoice, language: String?, isTranslated: Bool, onLog: @escaping @Sendable (String) -> Void
    ) -> Transcription {
        let (recognizer, load) = recognizer(of: choice, onLog: onLog)
        return Transcription(
            recognizer, load, choice, HearingRequest(language: language, wants: .words, isTranslated: isTranslated))
    }

    /// A recognizer whose processes all share that ask for it, and what it loads.
    package func sharedRecognizer(of choice: HearingChoice) -> (Recognizer, LoadRequest) {
        let (own, load) = recognizer(of: choice) { _ in }
        return (host.recognizers.plugin(of: choice.file) { own } ?? own, load)
    }

    /// A recognizer, and what it loads.
    func recognizer(
        of choice: HearingChoice, onLog: @escaping @Sendable (String) -> Void
    ) -> (Recognizer, LoadRequest) {
        var files: [HandedFile] = []
        if case .ready(let found) = choice.state { files = found }
        for file in files { host.inUse.add(path: file.path, as: .voice) }
        let cache = host.preparedFolder(of: choice.recognizer.id)
        makeFolder(of: "\(cache)/")
        let recognizer = Recognizer(
            file: choice.file, description: choice.recognizer, program: host.workerProgram, limits: host.limits,
            onLog: { _, line in onLog(line) })
        let load = LoadRequest(
            id: choice.model.id, cacheDirectory: access(cache, W_OK | X_OK) == 0 ? cache : nil, files: files)
        return (recognizer, load)
    }
}
