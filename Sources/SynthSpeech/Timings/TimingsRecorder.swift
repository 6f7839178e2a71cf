import SynthAudio
package import SynthSystem

/// Writes timings to a file while the audio is passed to a sink. Not thread-safe.
///
/// Keeps only the current sentence in memory, except at the start: until the first sentence with words arrives, it
/// keeps all sentences.
final class TimingsRecorder {
    /// The granularity of the timings, or nil while it is unknown.
    private(set) var kind: TimingsKind?
    /// The path of the completed file, or nil if none was written.
    private(set) var storedPath: String?

    private let format: TimingsFormat
    private let origin: TimingsOrigin
    /// The output file. If `finish` is not called, an existing file is left unchanged.
    private let file: ReplacedFile
    private var collector = SentenceCollector()
    private var text: TimingsText?
    /// Sentences that arrived before the engine's support for word timings was known.
    private var pending: [TimedSentence] = []
    private var unwritten: [UInt8] = []

    /// The number of sentences without words after which the engine is assumed not to report words. Even an engine that
    /// reports words may not report any for a sentence consisting only of symbols.
    private static let maximumPending = 8
    private static let blockBytes = 1 << 16

    init(_ file: TimingsFile, _ origin: TimingsOrigin) {
        format = file.format
        self.origin = origin
        self.file = ReplacedFile(path: file.path, sparing: file.inUse)
    }

    /// Interrupts a blocked call. Can be called from any thread.
    var stop: @Sendable () -> Void { { [file] in file.stop() } }

    /// Opens the file. Opening a pipe without a reader blocks until `stop` is called.
    func begin() throws(SpeechError) {
        try rethrowing(file.begin(), as: { (error: AudioError) in SpeechError(timings: error) })
    }

    /// Records a chunk's events before its audio is passed to the sink.
    func take(_ piece: SoundQueue.Piece, in format: AudioFormat) throws(SpeechError) {
        for event in piece.events {
            if let sentence = collector.take(event) { try append(sentence, in: format) }
        }
        if let end = piece.utteranceEnd { collector.utteranceEnds(at: end) }
    }

    /// Completes and renames the file. If the speech ended early and the file already exists, the new file gets an unused name
    /// in the same folder.
    ///
    /// - Parameters:
    ///   - format: the audio format, or nil if there is no audio.
    ///   - frames: the total length of the audio in frames.
    ///   - isComplete: whether the speech was completed.
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
        } else if !origin.timesWords || pending.count == Self.maximumPending {
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

/// The output file for timings.
package struct TimingsFile: Sendable {
    package let path: String
    package let format: TimingsFormat
    /// Files that must not be overwritten.
    let inUse: FilesInUse

    /// - Throws: `timingsFormatUnknown` if the file extension does not match any format.
    package init(path: String, sparing inUse: FilesInUse = FilesInUse()) throws(SpeechError) {
        guard let format = TimingsFormat(path: path) else {
            throw .timingsEndingUnknown(path: path)
        }
        self.path = path
        self.format = format
        self.inUse = inUse
    }
}

/// A timings file format. The raw value is the file extension without the dot.
package enum TimingsFormat: String, CaseIterable, Equatable, Sendable {
    /// SubRip subtitles.
    case srt
    /// WebVTT subtitles.
    case vtt
    case json

    /// - Returns: nil if the file extension does not match any format.
    package init?(path: String) {
        guard let ending = SoundFileFormat.ending(of: path) else { return nil }
        self.init(rawValue: ending.lowercased())
    }
}

/// The granularity of the timings.
package enum TimingsKind: String, Equatable, Sendable {
    case words, sentences
}

/// The engine and voice that produced the timings.
package struct TimingsOrigin: Equatable, Sendable {
    /// The engine's ID, such as "espeak-ng".
    var engine: String
    /// The engine's display name and version, such as "eSpeak NG 1.51".
    var engineTitle: String
    /// The ID of the voice.
    var voice: String
    /// Whether the engine reports word timings.
    var timesWords: Bool
}

extension TimingsOrigin {
    package init(_ engine: SpeechEngine, _ voice: SpeechVoice) {
        self.init(
            engine: engine.id, engineTitle: "\(engine.name) \(engine.version)", voice: voice.id,
            timesWords: engine.timesWords)
    }
}
