import Glibc
package import SynthEngineWire
import SynthJSON
package import SynthSystem

/// The progress of a transcription, stored in a file next to the output, so that the same command can resume after an
/// interruption, a crash or a full disk. The first line identifies the input and settings. Each subsequent line
/// contains one piece. Incomplete lines are ignored.
package final class TranscriptJournal {
    private let path: String
    private let file: Descriptor
    private let lock: HeldLock
    /// The pieces in the existing file, in order, starting with the first piece.
    package let pieces: [TranscribedPiece]

    /// The maximum file size in bytes.
    private static let longest = 1 << 28

    /// Opens a journal. If the existing file is for a different subject, starts a new journal.
    ///
    /// - Parameters:
    ///   - path: the path of a file that belongs to this user and is used only for journals.
    ///   - subject: identifies the audio, the recognizer and all settings that affect the result.
    /// - Throws: `EWOULDBLOCK` if another process is using the journal, `EEXIST` if the path is another user's file, a
    ///   hard link or anything other than a regular file, or the error of a failed system call.
    package init(_ path: String, of subject: String) throws(Errno) {
        self.path = path
        (file, lock) = try Self.open(path)
        let head = Array((subject.replacing("\n", with: " ") + "\n").utf8)
        let bytes = try file.readAll(limit: Self.longest)
        var found: [TranscribedPiece] = []
        var whole = bytes.starts(with: head) ? head.count : 0
        if whole > 0 {
            for line in bytes[whole...].split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
                guard let piece = Self.piece(line), piece.index == found.count,
                    piece.frames.lowerBound == found.last?.frames.upperBound ?? 0
                else { break }
                found.append(piece)
                whole += line.count + 1
            }
        }
        pieces = found
        // Remove an incomplete line so that the next line is not appended to it.
        let (file, size) = (file, off_t(whole))
        try Errno.check { ftruncate(file.raw, size) }
        try Errno.check { lseek(file.raw, size, SEEK_SET) }
        if whole == 0 { try file.writeAll(head) }
    }

    private static func open(_ path: String) throws(Errno) -> (Descriptor, HeldLock) {
        while true {
            let file = try Descriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
            var status = stat()
            try Errno.check { fstat(file.raw, &status) }
            // In a folder that other users can write to, the file could belong to another user or be a hard link.
            guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_nlink <= 1 else {
                throw .exists
            }
            guard let lock = HeldLock(file) else { throw Errno(EWOULDBLOCK) }
            // The previous holder of the lock may have deleted the file.
            if RegularFile(path: path) == RegularFile(descriptor: file.raw) { return (file, lock) }
        }
    }

    package func add(_ piece: TranscribedPiece) throws(Errno) {
        guard let node = try? JSONNode(encoding: Line(piece)) else { throw .invalid }
        try file.writeAll(Array((JSONWriter.line(of: node) + "\n").utf8))
    }

    /// Deletes the journal. Call this when the output is complete.
    package func remove() { unlink(path) }

    private static func piece(_ line: ArraySlice<UInt8>) -> TranscribedPiece? {
        guard let node = try? JSONReader.read(Array(line)), let line = try? node.decode(Line.self) else { return nil }
        return line.piece
    }

    private struct Line: Codable {
        struct Text: Codable {
            let text: String
            let frames: Range<UInt64>
            let language: String?
            let confidence: Float?
            let words: [RecognizedWord]
            let origin: RecognizedText.Origin?
            /// The channel number and the number of channels, or nil for mixed audio.
            let channel: [Int]?
            let leftOut: RecognizedText.LeftOut?
        }
        let index: Int
        let frames: Range<Int>
        let texts: [Text]

        init(_ piece: TranscribedPiece) {
            index = piece.index
            frames = piece.frames
            texts = (piece.texts + piece.leftOut).map { text in
                Text(
                    text: text.text, frames: text.frames, language: text.language, confidence: text.confidence,
                    words: text.words, origin: text.origin, channel: text.channel.map { [$0.number, $0.count] },
                    leftOut: text.leftOut)
            }
        }

        /// The piece, or nil if the line is invalid.
        var piece: TranscribedPiece? {
            guard index >= 0 else { return nil }
            var recognized: [RecognizedText] = []
            for text in texts {
                var whole = RecognizedText(
                    text.text, frames: text.frames, language: text.language, words: text.words,
                    confidence: text.confidence)
                whole.origin = text.origin ?? RecognizedText.Origin()
                if let channel = text.channel {
                    guard channel.count == 2, channel[0] >= 1, channel[0] <= channel[1] else { return nil }
                    whole.channel = SoundChannel(channel[0], of: channel[1])
                }
                whole.leftOut = text.leftOut
                if whole.leftOut != nil { (whole.isFinal, whole.stable) = (false, 0) }
                guard whole.isWellFormed else { return nil }
                recognized.append(whole)
            }
            return TranscribedPiece(
                index: index, frames: frames, texts: recognized.filter { $0.leftOut == nil },
                leftOut: recognized.filter { $0.leftOut != nil })
        }
    }
}

/// The transcript of a piece of long audio.
package struct TranscribedPiece: Equatable, Sendable {
    /// The index of the piece, starting at 0.
    package let index: Int
    /// The frame range in the recording.
    package let frames: Range<Int>
    /// Final texts, sorted by start time, with positions in the recording.
    package let texts: [RecognizedText]
    /// The texts that were rejected because they were probably never spoken.
    package let leftOut: [RecognizedText]
    /// The stable beginning of the text that follows `texts`. Empty if that text is unknown.
    package let beginning: String

    package init(
        index: Int, frames: Range<Int>, texts: [RecognizedText], leftOut: [RecognizedText] = [], beginning: String = ""
    ) {
        self.beginning = beginning
        self.index = index
        self.frames = frames
        self.texts = texts
        self.leftOut = leftOut
    }
}

extension RecognizedText {
    /// Whether the text contains a letter or digit. For music or noise, a recognizer may return only punctuation.
    var hasWords: Bool {
        text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    /// Returns a copy that is shifted by a number of frames and assigned to a channel.
    func moved(by frames: UInt64, _ channel: SoundChannel? = nil) -> RecognizedText {
        func moved(_ range: Range<UInt64>) -> Range<UInt64> {
            range.lowerBound + frames..<range.upperBound + frames
        }
        var text = self
        text.channel = channel
        text.frames = moved(text.frames)
        for index in text.words.indices { text.words[index].frames = moved(text.words[index].frames) }
        return text
    }
}
