import SynthAudio
package import SynthSystem

/// Writes when each word sounds into a file, while a speech is handed to a sink. One thread uses it.
///
/// Memory: the sentence that sounds, and those before the first one that has words.
final class TimingsRecorder {
    /// nil = not known yet.
    private(set) var kind: TimingsKind?
    /// The path of the file, once it is complete; nil = there is none.
    private(set) var storedPath: String?

    private let format: TimingsFormat
    private let origin: TimingsOrigin
    /// Closed by `finish`, and else left as it was.
    private let file: ReplacedFile
    private var collector = SentenceCollector()
    private var text: TimingsText?
    /// Sentences before it is known whether words are timed.
    private var pending: [TimedSentence] = []
    private var unwritten: [UInt8] = []

    /// An engine that times words may have none for a sentence of signs, but not for so many.
    private static let mostPending = 8
    private static let blockBytes = 1 << 16

    init(_ file: TimingsFile, _ origin: TimingsOrigin) {
        format = file.format
        self.origin = origin
        self.file = ReplacedFile(path: file.path, sparing: file.inUse)
    }

    /// What ends a call that blocks; from any thread.
    var stop: @Sendable () -> Void { { [file] in file.stop() } }

    /// Opens the file. A pipe without a reader blocks, until `stop` at the latest.
    func begin() throws(SpeechError) {
        try rethrowing(file.begin(), as: { (error: AudioError) in SpeechError(timings: error) })
    }

    /// Takes what a piece of sound says, before it is handed over.
    func take(_ piece: SoundQueue.Piece, in format: AudioFormat) throws(SpeechError) {
        for event in piece.events {
            if let sentence = collector.take(event) { try append(sentence, in: format) }
        }
        if let end = piece.utteranceEnd { collector.utteranceEnds(at: end) }
    }

    /// Completes the file, and gives it its name; one that ends early, a free name beside a file that was there.
    /// - Parameters:
    ///   - format: nil = there was no sound.
    ///   - frames: of the whole sound.
    ///   - isComplete: whether all of the text was spoken.
    func finish(
        in format: AudioFormat?, frames: Int, isComplete: Bool
    ) throws(SpeechError) {
        let format = format ?? AudioFormat(sampleRate: 1, channels: 1)
        let knowsWords = kind.map { $0 == .words } ?? origin.timesWords
        if let last = collector.finish(at: frames, timesWords: knowsWords) { try append(last, in: format) }
        if text == nil { try begin(origin.timesWords && pending.isEmpty ? .words : .sentences, in: format) }
        try write(text?.finish(frames: frames, isComplete: isComplete) ?? "")
        try flush()
        storedPath = try rethrowing(
            file.finish(isComplete ? .whole : .stopped),
            as: { (error: AudioError) in SpeechError(timings: error) })
    }

    private func append(_ sentence: TimedSentence, in format: AudioFormat) throws(SpeechError) {
        guard text == nil else { return try write(text?.append(sentence) ?? "") }
        pending.append(sentence)
        if !sentence.words.isEmpty {
            try begin(.words, in: format)
        } else if !origin.timesWords || pending.count == Self.mostPending {
            try begin(.sentences, in: format)
        }
    }

    private func begin(_ kind: TimingsKind, in format: AudioFormat) throws(SpeechError) {
        var text = TimingsText(self.format, kind, origin, sampleRate: format.sampleRate)
        try write(text.head)
        for sentence in pending { try write(text.append(sentence)) }
        pending = []
        self.kind = kind
        self.text = text
    }

    private func write(_ text: String) throws(SpeechError) {
        unwritten += text.utf8
        if unwritten.count >= Self.blockBytes { try flush() }
    }

    private func flush() throws(SpeechError) {
        let bytes = unwritten
        unwritten = []
        try rethrowing(file.write(bytes), as: { (error: AudioError) in SpeechError(timings: error) })
    }
}

/// A file that is to say when each word of a speech sounds.
package struct TimingsFile: Sendable {
    package let path: String
    package let format: TimingsFormat
    /// Files that it does not replace.
    let inUse: FilesInUse

    /// - Throws: `timingsEndingUnknown`.
    package init(path: String, sparing inUse: FilesInUse = FilesInUse()) throws(SpeechError) {
        guard let format = TimingsFormat(path: path) else {
            throw .timingsEndingUnknown(path: path)
        }
        self.path = path
        self.format = format
        self.inUse = inUse
    }
}

/// A format of a file that says when each word of a speech sounds. The raw value is its ending, without the dot.
package enum TimingsFormat: String, CaseIterable, Equatable, Sendable {
    /// SubRip subtitles.
    case srt
    /// WebVTT subtitles.
    case vtt
    case json

    /// - Returns: nil if the ending of the name means none of them.
    package init?(path: String) {
        guard let ending = SoundFileFormat.ending(of: path) else { return nil }
        self.init(rawValue: ending.lowercased())
    }
}

/// What speaks the text whose times are written.
package struct TimingsOrigin: Equatable, Sendable {
    /// As the configuration calls it: "espeak-ng".
    var engine: String
    /// As people call it, with its version: "eSpeak NG 1.51".
    var engineTitle: String
    /// The id of the voice.
    var voice: String
    /// Whether the engine can tell when words sound.
    var timesWords: Bool
}

extension TimingsOrigin {
    package init(_ engine: SpeechEngine, _ voice: SpeechVoice) {
        self.init(
            engine: engine.id, engineTitle: "\(engine.name) \(engine.version)", voice: voice.id,
            timesWords: engine.timesWords)
    }
}
