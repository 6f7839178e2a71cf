import Glibc
import SynthBooks
import SynthDocuments
public import SynthSpeech
import SynthSystem
import SynthUserVoices

/// A document with its chapters: an EPUB, PDF, DOCX, FB2, HTML, Markdown or text file.
public struct SpeechBook: Sendable {
    /// A chapter of a book.
    public struct Chapter: Sendable, Identifiable {
        /// The position in the document, starting at 1.
        public let number: Int
        /// The title from the table of contents or the first heading, or nil if there is neither.
        public var title: String? { content.title }
        /// The level in the table of contents, starting at 1, or nil if it is unknown.
        public var level: Int? { content.level }
        /// The number of words.
        public var wordCount: Int { content.words }
        /// The text as written. Its paragraphs are separated by empty lines.
        public var text: String { content.blocks.map(\.text).joined(separator: "\n\n") }
        public var id: Int { number }
        let content: Document.Chapter
    }

    /// A character in a novel, identified by names and pronouns next to verbs such as "said".
    public struct Character: Hashable, Sendable {
        /// The name as it appears next to the character's lines.
        public let name: String
        /// The number of spoken lines.
        public let lineCount: Int
        /// The beginning of the first line, with its quotation marks.
        public let firstLine: String
    }

    /// The title in the document's metadata, or nil if it has none.
    public var title: String? { document.title }
    /// The authors in the document's metadata.
    public var authors: [String] { document.authors }
    /// The main language (BCP 47), or nil if it is unknown.
    public var language: String? { document.language }
    /// The cover as a JPEG or PNG file, or nil if there is none.
    public var cover: [UInt8]? { document.cover?.bytes }
    /// The numbers of a PDF's pages that are images without text, which cannot be spoken. Empty for other documents,
    /// and also if only the first page is an image, because that page is usually the cover.
    public var scannedPages: [Int] { document.scannedPages }
    /// The files that the document refers to but does not contain. Their text is missing from the chapters.
    public var missingFiles: [String] { document.missing ?? [] }
    /// The chapters, in order.
    public let chapters: [Chapter]
    let document: Document
    let path: String
    /// The modification time of the document, in seconds since 1970.
    let modified: Int
    let backend: any HostBackend

    init(_ document: Document, path: String, modified: Int, _ backend: any HostBackend) {
        (self.document, self.path, self.modified, self.backend) = (document, path, modified, backend)
        chapters = zip(1..., document.chapters).map { Chapter(number: $0, content: $1) }
    }

    /// The characters who speak, sorted by number of lines. Each access searches the entire text.
    public var characters: [Character] {
        BookCast(of: document.chapters).people.map { name, role in
            Character(name: name, lineCount: role.lines, firstLine: role.first ?? "")
        }
    }

    /// Returns a sequence that creates an audiobook as you iterate over it.
    ///
    /// The path determines the form: a file such as `book.opus`, with chapter marks; `book.epub`, with text and audio;
    /// `book.m4b`, for which ffmpeg must be installed; or, with any other name, a folder with one file for each
    /// chapter. Finished parts are kept in a hidden folder, either in the audiobook's folder or next to its file, so
    /// that repeating the call after an interruption resumes the work. An existing file at `path` is replaced when the
    /// audiobook is complete.
    ///
    /// - Parameters:
    ///   - path: the path of the audiobook's file or folder.
    ///   - session: the narrator.
    ///   - options: the chapters, the voices and the format.
    public func write(to path: String, by session: SpeechSession, _ options: BookOptions = BookOptions()) -> BookWriting
    {
        BookWriting(self, to: path, by: session, options)
    }
}

/// Options for an audiobook.
public struct BookOptions: Sendable {
    /// The title for tags, or nil for the document's title.
    public var title: String?
    /// The authors for tags, or nil for the document's authors.
    public var authors: [String]?
    /// The numbers of the chapters to include, or nil for all chapters.
    public var chapters: Set<Int>?
    /// Whether to omit the copyright page, the dedication, the table of contents and the licenses.
    public var skipsFrontMatter: Bool
    /// The names of the characters' voices, keyed by character name. The narrator speaks the lines of all other
    /// characters.
    public var voices: [String: String]
    /// The rate, the pitch and other settings of the narrator and the characters.
    public var speech: SpeechOptions
    /// The format of the files in a folder, or nil for Opus. Ignored for EPUB and M4B.
    public var format: SpeechFileOptions.Format?
    /// The encoder quality, from 0 (smallest file) to 10 (best sound).
    public var quality: Int

    /// Creates options. By default, the narrator reads the entire document.
    public init(
        title: String? = nil, authors: [String]? = nil, chapters: Set<Int>? = nil, skipsFrontMatter: Bool = false,
        voices: [String: String] = [:], speech: SpeechOptions = SpeechOptions(),
        format: SpeechFileOptions.Format? = nil, quality: Int = 5
    ) {
        (self.title, self.authors, self.chapters) = (title, authors, chapters)
        (self.skipsFrontMatter, self.voices, self.speech) = (skipsFrontMatter, voices, speech)
        (self.format, self.quality) = (format, quality)
    }
}

extension SpeechHost {
    /// Reads a document in a confined process.
    ///
    /// - Parameters:
    ///   - path: the path of the document.
    ///   - includesNotes: whether to insert each footnote after its first reference.
    /// - Throws: `fileNotReadable`, `documentUnsupported`, `documentEncrypted` or another error whose code begins with `document`, or
    ///   `installationIncomplete`.
    public func book(_ path: String, includesNotes: Bool = false) async throws(SpeechError) -> SpeechBook {
        try await blocking { backend throws(SpeechError) in
            let environment = ProcessEnvironment().variables
            let installation = try Installation(executable: Installation.executable, environment: environment)
            let reader = DocumentProgram(path: installation.read)
            let file: Descriptor
            var status = stat()
            do throws(Errno) {
                file = try Descriptor.openRegular(path).file
                try Errno.check { fstat(file.raw, &status) }
            } catch {
                throw .notReadable(path, error)
            }
            let extras: Set<DocumentExtra> = includesNotes ? [.cover, .notes, .scans] : [.cover, .scans]
            let document = try rethrowing(
                reader.read(file, as: DocumentForm(path: path), extras),
                as: { (error: DocumentFailure) in SpeechError(document: path, error) })
            // The audiobook must not replace the document.
            backend.inUse.add(RegularFile(descriptor: file.raw), as: .text)
            return SpeechBook(document, path: path, modified: Int(status.st_mtim.tv_sec), backend)
        }
    }
}
