import Glibc
import LocatedJSON
import SynthAudio
import System

/// The folder in which a book is made: a record for each part and each file that is whole. A record is written after what it tells
/// of, so that what has one is whole.
///
/// Any thread may use it; several processes may make different parts.
struct BookWorkFolder: Sendable {
    /// A part that was spoken.
    struct PartRecord: Codable, Equatable {
        let text: String
        let voice: BookVoice
        let frames: Int
        let sampleRate: Int
        let channels: Int

        var format: AudioFormat { AudioFormat(sampleRate: sampleRate, channels: channels) }
    }

    /// A file of sound that is to be, or is, whole.
    struct FileRecord: Codable, Equatable {
        let name: String
        let recipe: Recipe
        /// nil = it is being written.
        var seconds: Double?
    }

    /// All that a file comes from.
    struct Recipe: Codable, Equatable {
        let texts: [String]
        let voice: BookVoice
        let format: String
        let quality: Int
        let loudness: BookLoudness
        let subtitles: String?
        let tags: [String]
    }

    let path: String

    /// More of a record is none of ours.
    private static let largest = 256 << 20

    init(path: String) throws(BookFailure) {
        self.path = path
        // As the user's mask says: the folder above it is the user's own.
        for folder in [LinkTarget.folder(of: path), path] where mkdir(folder, 0o777) != 0 && errno != EEXIST {
            throw .file(path: folder, .last)
        }
        guard isFolder(path) else { throw .file(path: path, Errno(ENOTDIR)) }
    }

    /// Keeps other processes from making the same of the book as long as the result lives.
    ///
    /// - Parameter name: of what is made.
    func lock(_ name: String) throws(BookFailure) -> Descriptor {
        let path = path.child("\(name).lock")
        let file: Descriptor
        do throws(Errno) {
            file = try Descriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        } catch {
            throw .file(path: path, error)
        }
        // A file system without locks has no second process on another machine that we could know of.
        guard flock(file.raw, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else { throw .busy(folder: self.path) }
        return file
    }

    /// Where the sound of a part is: samples of 16 bits without a header.
    func soundPath(_ part: BookPart) -> String { path.child("\(Self.name(of: part)).pcm") }

    /// Where it is said when the words of a part sound.
    func subtitlePath(_ part: BookPart, _ format: SubtitleFormat) -> String {
        path.child("\(Self.name(of: part)).\(format.rawValue)")
    }

    func record(of part: BookPart) -> PartRecord? { read("\(Self.name(of: part)).json") }

    /// The record of a part that is whole and would sound the same now.
    func wholePart(_ part: BookPart, _ voice: BookVoice) -> PartRecord? {
        guard let record = record(of: part), record.text == part.text, record.voice == voice,
            record.frames == 0 || RegularFile(path: soundPath(part)) != nil
        else { return nil }
        return record
    }

    func write(_ record: PartRecord, of part: BookPart) throws(BookFailure) {
        try write(record, "\(Self.name(of: part)).json")
    }

    /// Removes the sounds and the records of parts that are no longer needed.
    func remove(_ parts: [BookPart]) {
        for part in parts {
            unlink(path.child("\(Self.name(of: part)).json"))
            unlink(soundPath(part))
            for format in SubtitleFormat.allCases { unlink(subtitlePath(part, format)) }
        }
    }

    /// - Parameter key: the number of a chapter; 0 = the whole book.
    func record(ofFile key: Int) -> FileRecord? { read("file-\(key).json") }

    func write(_ record: FileRecord, ofFile key: Int) throws(BookFailure) { try write(record, "file-\(key).json") }

    private static func name(of part: BookPart) -> String { "part-\(part.chapter)-\(part.number)" }

    private func read<Record: Decodable>(_ name: String) -> Record? {
        guard let bytes = try? readWholeFile(path.child(name), limit: Self.largest) else { return nil }
        return try? JSONReader.read(bytes).decode(Record.self)
    }

    private func write(_ record: some Encodable, _ name: String) throws(BookFailure) {
        let path = path.child(name)
        // Nothing in a record is a number that JSON has not.
        guard let node = try? JSONNode(encoding: record) else { throw .file(path: path, .invalid) }
        do throws(Errno) {
            let file = try ReplacementFile(at: path)
            try file.file.writeAll(Array("\(JSONWriter.line(of: node, sortsKeys: true))\n".utf8))
            try file.publish()
        } catch {
            throw .file(path: path, error)
        }
    }
}
