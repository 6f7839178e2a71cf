import Glibc
import SynthAudio
import SynthJSON
import SynthSystem

/// The folder in which a book is made. It contains a record for each finished part and file. A record is written after
/// its data and removed before the data changes, so any data that has a record is complete.
///
/// Thread-safe. Several processes may make different parts at the same time. Records may be damaged, so each one is
/// validated when it is read.
struct BookWorkFolder: Sendable {
    struct PartRecord: Codable, Equatable {
        let text: String
        let voice: BookVoice
        let frames: Int
        let sampleRate: Int
        let channels: Int

        var format: AudioFormat { AudioFormat(sampleRate: sampleRate, channels: channels) }

        /// The maximum length of a part in frames: one day of audio at the highest sample rate.
        private static let maximumFrames = 86_400 * 384_000

        var isPossible: Bool { frames == 0 || (1...Self.maximumFrames).contains(frames) && format.isUsable }
    }

    /// The record of an audio file that is being written or is complete.
    struct FileRecord: Codable, Equatable {
        let name: String
        let recipe: Recipe
        /// The audio duration, or nil while the file is being written.
        var seconds: Double?

        var isPossible: Bool {
            !name.utf8.contains(UInt8(ascii: "/")) && !name.hasPrefix(".") && (0...1e9).contains(seconds ?? 0)
        }
    }

    /// The inputs that determine a file's contents.
    struct Recipe: Codable, Equatable {
        let texts: [String]
        let voice: BookVoice
        let format: String
        let quality: Int
        let loudness: BookLoudness
        let subtitles: String?
        let tags: [String]

        /// The value of the author tag, which is the second tag.
        static func author(_ authors: [String]) -> String { authors.joined(separator: ", ") }
        var author: String? { tags.count > 1 ? tags[1] : nil }
    }

    let path: String

    private static let largest = 256 << 20

    init(path: String) throws {
        self.path = path
        // The umask determines the permissions, because the parent folder belongs to the user.
        for folder in [LinkTarget.folder(of: path), path] where mkdir(folder, 0o777) != 0 && errno != EEXIST {
            throw BookFailure.file(path: folder, .last)
        }
        guard isFolder(path) else { throw BookFailure.file(path: path, Errno(ENOTDIR)) }
    }

    /// Prevents other processes from doing the same work for as long as the returned lock exists.
    ///
    /// - Parameters:
    ///   - name: identifies the work that is locked.
    ///   - isShared: whether other processes may take the same lock at the same time.
    func lock(_ name: String, isShared: Bool = false) throws -> HeldLock {
        let path = path.child("\(name).lock")
        let file = try rethrowing(
            Descriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600), as: BookFailure.ofFile(path))
        guard let lock = HeldLock(file, isShared: isShared) else { throw BookFailure.busy(folder: self.path) }
        return lock
    }

    /// Records which book the folder belongs to and adds new identifiers to an existing record.
    ///
    /// - Parameter authors: the authors in the files' tags.
    /// - Throws: `otherBook` if the folder belongs to a different book.
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

    /// Records which list the folder belongs to.
    ///
    /// - Throws: `otherBook` if the folder belongs to a different list.
    func claim(list name: String) throws {
        let there: String? = read(Self.bookRecord)
        if let there, there != name { throw otherBook(there) }
        if there == nil { try write(name, Self.bookRecord) }
    }

    private static let bookRecord = "book.json"

    private func otherBook(_ title: String, by authors: [String] = [], mayBeSame: Bool = false) -> BookFailure {
        .otherBook(folder: LinkTarget.folder(of: path), name: title, authors: authors, mayBeSame: mayBeSame)
    }

    /// The first author tag in the files' records that matches none of the known lists of authors, or nil if there is
    /// none. Needed only for folders from an earlier version of synthhost, in which the book record contains only the
    /// title.
    private func otherAuthor(than known: [[String]]) -> String? {
        let known = Set(known.map { Set(BookIdentity.words(Recipe.author($0))) } + [[]])
        return FolderListing.names(in: path).lazy.filter { $0.hasPrefix("file-") && $0.hasSuffix(".json") }
            .compactMap { (read($0) as FileRecord?)?.recipe.author }
            .first { !known.contains(Set(BookIdentity.words($0))) }
    }

    /// The path of a part's audio file, which contains 16-bit samples without a header.
    func soundPath(_ part: BookPart) -> String { path.child("\(Self.name(of: part)).pcm") }

    /// The path of a part's timings.
    ///
    /// - Parameter ending: the target's file extension for timings.
    func timingsPath(_ part: BookPart, _ ending: String) -> String { path.child("\(Self.name(of: part)).\(ending)") }

    /// The record of a part, or nil if the part is incomplete or its record does not match the current plan.
    func wholePart(_ part: BookPart, _ plan: BookPlan) -> PartRecord? {
        let record: PartRecord? = read("\(Self.name(of: part)).json")
        guard let record, record.isPossible, record.text == part.content, record.voice == plan.voice else { return nil }
        if record.frames == 0 { return record }
        // After a power failure, a file may exist but be incomplete.
        guard FinishedFile.size(soundPath(part)) == record.frames * record.channels * 2 else { return nil }
        if let ending = plan.target.timings, !FinishedFile.holdsSomething(timingsPath(part, ending)) { return nil }
        return record
    }

    /// Whether the records were written by an earlier version of synthhost, which assembled the text differently. If
    /// so, all parts are synthesized again.
    var isOfEarlierForm: Bool {
        FolderListing.names(in: path).contains { name in
            guard name.hasSuffix(".json") else { return false }
            let text =
                name.hasPrefix("part-")
                ? (read(name) as PartRecord?)?.text
                : name.hasPrefix("file-") ? (read(name) as FileRecord?)?.recipe.texts.first : nil
            return text.map { !$0.hasPrefix(BookPart.form) } ?? false
        }
    }

    func write(_ record: PartRecord, of part: BookPart) throws {
        try write(record, "\(Self.name(of: part)).json")
    }

    /// Removes a part's files, starting with the record.
    func remove(_ part: BookPart) {
        let name = Self.name(of: part)
        for ending in ["json", "pcm", "times.json"] + SubtitleFormat.allCases.map(\.rawValue) {
            unlink(path.child("\(name).\(ending)"))
        }
    }

    /// Removes all parts of these chapters, including parts that were made from earlier versions of the text.
    func removeParts(of chapters: [BookChapter]) {
        let prefixes = Set(chapters.map { "part-\($0.number)" })
        let names = FolderListing.names(in: path).filter { name in
            name.lastIndex(of: "-").map { prefixes.contains(String(name[..<$0])) } ?? false
        }
        for name in names.filter({ $0.hasSuffix(".json") }) + names { unlink(path.child(name)) }
    }

    /// - Parameter chapter: the chapter number, or nil for a single-file book.
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
        // Encoding cannot fail, because JSON can represent every number in a record.
        guard let node = try? JSONNode(encoding: record) else { throw BookFailure.file(path: path, .invalid) }
        try FinishedFile.write(Array("\(JSONWriter.line(of: node, sortsKeys: true))\n".utf8), to: path)
    }
}
