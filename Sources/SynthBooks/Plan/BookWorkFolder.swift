import Glibc
import SynthAudio
import SynthJSON
import SynthSystem

/// The folder in which a book is made: a record for each part and each file that is whole. A record is written after what it tells
/// of, and removed before that changes, so that what has one is whole.
///
/// Any thread may use it; several processes may make different parts. What is read may have been damaged by anybody.
struct BookWorkFolder: Sendable {
    /// A part that was spoken.
    struct PartRecord: Codable, Equatable {
        let text: String
        let voice: BookVoice
        let frames: Int
        let sampleRate: Int
        let channels: Int

        var format: AudioFormat { AudioFormat(sampleRate: sampleRate, channels: channels) }

        /// A day of sound, more than which no part has.
        private static let mostFrames = 86_400 * 384_000

        var isPossible: Bool { frames == 0 || (1...Self.mostFrames).contains(frames) && format.isUsable }
    }

    /// A file of sound that is to be, or is, whole.
    struct FileRecord: Codable, Equatable {
        /// In the folder of the book.
        let name: String
        let recipe: Recipe
        /// nil = it is being written.
        var seconds: Double?

        var isPossible: Bool {
            !name.utf8.contains(UInt8(ascii: "/")) && !name.hasPrefix(".") && (0...1e9).contains(seconds ?? 0)
        }
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

        /// The tag with all authors, which is the second.
        static func author(_ authors: [String]) -> String { authors.joined(separator: ", ") }
        var author: String? { tags.count > 1 ? tags[1] : nil }
    }

    let path: String

    /// More of a record is none of ours.
    private static let largest = 256 << 20

    init(path: String) throws {
        self.path = path
        // As the user's mask says: the folder above it is the user's own.
        for folder in [LinkTarget.folder(of: path), path] where mkdir(folder, 0o777) != 0 && errno != EEXIST {
            throw BookFailure.file(path: folder, .last)
        }
        guard isFolder(path) else { throw BookFailure.file(path: path, Errno(ENOTDIR)) }
    }

    /// Keeps other processes from making the same of the book as long as the result lives.
    ///
    /// - Parameters:
    ///   - name: of what is made.
    ///   - isShared: others may hold it likewise.
    func lock(_ name: String, isShared: Bool = false) throws -> HeldLock {
        let path = path.child("\(name).lock")
        let file: Descriptor
        do {
            file = try Descriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        } catch {
            throw BookFailure.file(path: path, error)
        }
        guard let lock = HeldLock(file, isShared: isShared) else { throw BookFailure.busy(folder: self.path) }
        return lock
    }

    /// Says which book the folder is for, and adds to its record what is known now.
    ///
    /// - Parameter authors: as the files name them.
    /// - Throws: `otherBook` if it is for another one.
    func claim(_ book: BookIdentity, by authors: [String]) throws {
        if let there: BookIdentity = read(Self.bookRecord) {
            guard book.isSame(as: there) else { throw otherBook(there.shownTitle, by: there.authors) }
            let record = book.continuing(there)
            if record != there { try write(record, Self.bookRecord) }
            return
        }
        if let title: String = read(Self.bookRecord) {
            guard title == book.title else { throw otherBook(title) }
            if let author = otherAuthor(than: [book.authors, authors]) {
                throw otherBook(title, by: [author], mayBeSame: true)
            }
        }
        try write(book, Self.bookRecord)
    }

    /// Says which list the folder is for.
    ///
    /// - Throws: `otherBook` if it is for another one.
    func claim(list name: String) throws {
        let there: String? = read(Self.bookRecord)
        if let there, there != name { throw otherBook(there) }
        if there == nil { try write(name, Self.bookRecord) }
    }

    private static let bookRecord = "book.json"

    private func otherBook(_ title: String, by authors: [String] = [], mayBeSame: Bool = false) -> BookFailure {
        .otherBook(folder: LinkTarget.folder(of: path), name: title, authors: authors, mayBeSame: mayBeSame)
    }

    /// The author that a file names, if none of the known lists has the same words; only for the folder of an earlier version, whose
    /// record is the title alone.
    private func otherAuthor(than known: [[String]]) -> String? {
        let known = Set(known.map { Set(BookIdentity.words(Recipe.author($0))) } + [[]])
        return FolderListing.names(in: path).lazy.filter { $0.hasPrefix("file-") && $0.hasSuffix(".json") }
            .compactMap { name in
                let record: FileRecord? = read(name)
                return record?.recipe.author
            }
            .first { !known.contains(Set(BookIdentity.words($0))) }
    }

    /// Where the sound of a part is: samples of 16 bits without a header.
    func soundPath(_ part: BookPart) -> String { path.child("\(Self.name(of: part)).pcm") }

    /// Where it is said when the words of a part sound.
    ///
    /// - Parameter ending: of the target.
    func timingsPath(_ part: BookPart, _ ending: String) -> String { path.child("\(Self.name(of: part)).\(ending)") }

    /// The record of a part that is whole and would sound the same now.
    func wholePart(_ part: BookPart, _ plan: BookPlan) -> PartRecord? {
        let record: PartRecord? = read("\(Self.name(of: part)).json")
        guard let record, record.isPossible, record.text == part.content, record.voice == plan.voice else { return nil }
        if record.frames == 0 { return record }
        // After a power cut a file may be there, and not whole.
        guard FinishedFile.size(soundPath(part)) == record.frames * record.channels * 2 else { return nil }
        if let ending = plan.target.timings, !FinishedFile.holdsSomething(timingsPath(part, ending)) { return nil }
        return record
    }

    /// Whether an earlier version wrote the records, so that no part has the same text now.
    var isOfEarlierForm: Bool {
        let names = FolderListing.names(in: path).filter { $0.hasSuffix(".json") }
        func isEarlier(_ text: String?) -> Bool { text.map { !$0.hasPrefix(BookPart.form) } ?? false }
        let isOfParts = names.contains { name in
            guard name.hasPrefix("part-") else { return false }
            let record: PartRecord? = read(name)
            return isEarlier(record?.text)
        }
        return isOfParts
            || names.contains { name in
                guard name.hasPrefix("file-") else { return false }
                let record: FileRecord? = read(name)
                return isEarlier(record?.recipe.texts.first)
            }
    }

    func write(_ record: PartRecord, of part: BookPart) throws {
        try write(record, "\(Self.name(of: part)).json")
    }

    /// Removes what is left of a part, the record first.
    func remove(_ part: BookPart) {
        let name = Self.name(of: part)
        for ending in ["json", "pcm", "times.json"] + SubtitleFormat.allCases.map(\.rawValue) {
            unlink(path.child("\(name).\(ending)"))
        }
    }

    /// Removes all parts of a chapter, also those that an earlier text of it had.
    func removeParts(ofChapter number: Int) {
        let names = FolderListing.names(in: path).filter { $0.hasPrefix("part-\(number)-") }
        for name in names.filter({ $0.hasSuffix(".json") }) + names { unlink(path.child(name)) }
    }

    /// - Parameter chapter: its number; nil = the whole book.
    func record(ofFile chapter: Int?, _ format: SoundFileFormat) -> FileRecord? {
        let record: FileRecord? = read(Self.fileName(chapter, format))
        return record.flatMap { $0.isPossible ? $0 : nil }
    }

    func write(_ record: FileRecord, ofFile chapter: Int?, _ format: SoundFileFormat) throws {
        try write(record, Self.fileName(chapter, format))
    }

    private static func fileName(_ chapter: Int?, _ format: SoundFileFormat) -> String {
        "file-\(chapter.map(String.init) ?? "book")-\(format.rawValue).json"
    }

    private static func name(of part: BookPart) -> String { "part-\(part.chapter)-\(part.number)" }

    private func read<Record: Decodable>(_ name: String) -> Record? {
        guard let bytes = try? readWholeFile(path.child(name), limit: Self.largest) else { return nil }
        return try? JSONReader.read(bytes).decode(Record.self)
    }

    private func write(_ record: some Encodable, _ name: String) throws {
        let path = path.child(name)
        // Nothing in a record is a number that JSON has not.
        guard let node = try? JSONNode(encoding: record) else { throw BookFailure.file(path: path, .invalid) }
        try FinishedFile.write(Array("\(JSONWriter.line(of: node, sortsKeys: true))\n".utf8), to: path)
    }
}
