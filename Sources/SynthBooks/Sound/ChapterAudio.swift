import Glibc
import SynthAudio
import SynthSystem

/// A chapter's audio, assembled from its parts. The parts are separated by the same amount of silence as if the chapter
/// had been spoken in one piece, and the audio has the requested loudness.
struct ChapterAudio {
    let format: AudioFormat
    let chapter: Int
    private let pieces: [Piece]
    /// The number of silent frames before each piece.
    private let silences: [Int]

    /// - Parameters:
    ///   - pieces: the pieces that contain audio.
    ///   - pause: the pause between pieces, which end at paragraph boundaries. Silence at the end of one piece and at
    ///     the beginning of the next counts toward this pause.
    init(_ pieces: [Piece], _ format: AudioFormat, chapter: Int, pause: Duration) throws {
        self.format = format
        self.chapter = chapter
        self.pieces = pieces
        let wanted = Int(pause / .seconds(1) * Double(format.sampleRate))
        silences = try pieces.indices.map { index in
            if index == 0 { return 0 }
            let there =
                try pieces[index - 1].silence(format, upTo: wanted, atEnd: true)
                + pieces[index].silence(format, upTo: wanted, atEnd: false)
            return max(0, wanted - there)
        }
    }

    var frames: Int { pieces.reduce(silences.reduce(0, +)) { $0 + $1.frames } }

    var seconds: Double { Double(frames) / Double(format.sampleRate) }

    /// The gain that produces the requested loudness, or 1 if the audio is too short to be measured.
    ///
    /// - Parameter isCancelled: checked regularly. If it returns true, the measurement stops, and the result is
    ///   meaningless.
    func gain(for loudness: Double, _ isCancelled: () -> Bool) throws -> Gain {
        guard LoudnessMeter.supports(format) else { return Gain(factor: 1) }
        let meter = try rethrowing(LoudnessMeter(format: format), as: BookFailure.loudness)
        try read { (samples) throws in
            try rethrowing(meter.add(samples), as: BookFailure.loudness)
            return !isCancelled()
        }
        guard let measured = meter.loudness?.integrated else { return Gain(factor: 1) }
        return Gain(Decibels(max(-30, min(30, loudness - measured))))
    }

    /// Passes all of the audio to `take` in order, without clipping.
    ///
    /// - Parameter take: returns false to stop.
    func read(_ gain: Gain, _ take: ([Float]) throws -> Bool) throws {
        var limiter = Limiter(format: format)
        var ready: [Float] = []
        var isWanted = true
        try read { (samples) throws in
            var samples = samples
            gain.apply(to: &samples)
            ready.removeAll(keepingCapacity: true)
            limiter.process(samples[...], into: &ready)
            isWanted = try take(ready)
            return isWanted
        }
        guard isWanted else { return }
        ready.removeAll(keepingCapacity: true)
        limiter.finish(into: &ready)
        _ = try take(ready)
    }

    var starts: [(piece: Piece, frame: Int)] {
        var frame = 0
        return zip(pieces, silences).map { piece, silence in
            defer { frame += silence + piece.frames }
            return (piece, frame + silence)
        }
    }

    private func read(_ take: ([Float]) throws -> Bool) throws {
        for (piece, silence) in zip(pieces, silences) {
            if silence > 0, try !take(Array(repeating: 0, count: silence * format.channels)) { return }
            guard try piece.read(format, take) else { return }
        }
    }
}

extension ChapterAudio {
    /// A part's audio, stored as 16-bit little-endian samples.
    struct Piece {
        let path: String
        let frames: Int
        /// The path of the word timings, or nil if there are none.
        let timings: String?
        let part: Int

        /// The level below which samples are treated as silence: -50 dBFS.
        private static let floor: Float = 0.003
        private static let block = 1 << 16

        /// Passes the piece's audio to `take`.
        ///
        /// - Returns: false if the consumer needs no more audio.
        func read(_ format: AudioFormat, _ take: ([Float]) throws -> Bool) throws -> Bool {
            let file = try open()
            var position = 0
            let count = frames * format.channels
            while position < count {
                let samples = try samples(of: file, from: position, count: min(Self.block, count - position))
                position += samples.count
                guard try take(samples) else { return false }
            }
            return true
        }

        /// All of the audio, converted to a different format.
        func samples(_ format: AudioFormat, as other: AudioFormat) throws -> [Float] {
            var result: [Float] = []
            do throws(AudioError) {
                let converter = try FormatConverter(from: format, to: other)
                var all: [Float] = []
                do {
                    _ = try read(format) { samples in
                        all += samples
                        return true
                    }
                } catch {
                    throw .outputNotWritten(name: .file(path), code: EIO)
                }
                try converter.process(all[...], into: &result)
                try converter.finish(into: &result)
            } catch {
                throw BookFailure.audio(error, path: path)
            }
            return result
        }

        /// The number of silent frames at the beginning or at the end.
        func silence(_ format: AudioFormat, upTo limit: Int, atEnd: Bool) throws -> Int {
            let count = min(limit, frames)
            let first = atEnd ? (frames - count) * format.channels : 0
            let samples = try samples(of: try open(), from: first, count: count * format.channels)
            let isSound = { (sample: Float) in abs(sample) >= Self.floor }
            guard let position = atEnd ? samples.lastIndex(where: isSound) : samples.firstIndex(where: isSound) else {
                return count
            }
            return atEnd ? count - 1 - position / format.channels : position / format.channels
        }

        private func open() throws -> Descriptor {
            do { return try Descriptor.openRegular(path).file } catch { throw BookFailure.file(path: path, error) }
        }

        private func samples(of file: Descriptor, from first: Int, count: Int) throws -> [Float] {
            var bytes = [UInt8](repeating: 0, count: count * 2)
            var done = 0
            while done < bytes.count {
                let read = bytes.withUnsafeMutableBytes {
                    pread(file.raw, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(first * 2 + done))
                }
                if read < 0, errno == EINTR { continue }
                // If nothing can be read, another program has truncated the file.
                guard read > 0 else { throw BookFailure.file(path: path, read < 0 ? .last : Errno(EIO)) }
                done += read
            }
            return FloatPCM.samples(of: bytes)
        }
    }
}

/// A playlist of all finished files in a folder. Playlists that synthhost did not write are left unchanged.
struct BookPlaylist {
    private static let name = "playlist.m3u8"
    private static let mark = "# Made by synthhost"

    private var lines = ["#EXTM3U", Self.mark]
    private var count = 0

    init(title: String?) {
        if let title { lines.append("#PLAYLIST:\(Self.line(title))") }
    }

    mutating func add(_ file: String, title: String, seconds: Double) {
        count += 1
        lines += ["#EXTINF:\(Int(seconds.rounded())),\(Self.line(title))", file]
    }

    /// Writes the playlist, unless the book is a single file.
    func write(in folder: String) throws {
        guard count > 1 else { return }
        let path = folder.child(Self.name)
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        if FinishedFile.isThere(path) {
            let there = (try? readWholeFile(path, limit: 1 << 24)) ?? []
            let isOurs = String(decoding: there, as: UTF8.self).split(separator: "\n").contains(Self.mark[...])
            if there == bytes || !isOurs { return }
        }
        try FinishedFile.write(bytes, to: path)
    }

    private static func line(_ text: String) -> String { text.split { $0.isNewline }.joined(separator: " ") }
}
