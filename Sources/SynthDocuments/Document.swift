import SynthJSON

/// A text with its structure: a book, an article. Whatever its format was, it is the same value.
package struct Document: Equatable, Sendable {
    package var title: String?
    package var authors: [String]
    /// What tells it from other documents: an ISBN, a UUID, an address. Empty = it has none.
    package var identifiers: [String] = []
    /// Of the whole (BCP-47); nil = it does not say.
    package var language: String?
    package var chapters: [Chapter]
    /// The files that it names and does not have, of which some text may be missing.
    package var missing: [String] = []
    /// nil = it has none.
    package var cover: Picture?

    package init(title: String? = nil, authors: [String] = [], language: String? = nil, chapters: [Chapter] = []) {
        self.title = title
        self.authors = authors
        self.language = language
        self.chapters = chapters
    }

    /// A picture in a format that players of sound show.
    package struct Picture: Codable, Equatable, Sendable {
        /// `image/jpeg` or `image/png`.
        package let type: String
        private let content: BytesAsText

        package var bytes: [UInt8] { content.bytes }

        /// nil = it is of another format.
        package init?(_ bytes: [UInt8]) {
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                type = "image/jpeg"
            } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                type = "image/png"
            } else {
                return nil
            }
            content = BytesAsText(bytes)
        }
    }

    /// A part that the contents name, or what stands before the first of them.
    package struct Chapter: Codable, Equatable, Sendable {
        /// As the contents say, else its first heading; nil = it has none.
        package var title: String?
        package var blocks: [Block]
        /// How deep it is in the contents, from 1; nil if the document has none, or they do not name it.
        package var level: Int?

        package init(title: String? = nil, blocks: [Block] = [], level: Int? = nil) {
            self.title = title
            self.blocks = blocks
            self.level = level
        }

        /// By the spaces in it: characters of Chinese and Japanese count as words.
        package var words: Int { blocks.reduce(0) { $0 + $1.words } }
    }

    /// A heading, a paragraph, …: what is read without a pause for the eye.
    package struct Block: Codable, Equatable, Sendable {
        package enum Kind: Codable, Equatable, Sendable {
            /// From 1, the highest.
            case heading(level: Int)
            case paragraph
            /// `depth` counts from 1; `number` is what stands before it in a numbered list.
            case item(depth: Int, number: Int?)
            /// Of a table, with a comma between its cells.
            case row
            /// What is to be said in place of a picture.
            case figure
            /// A programme, or what else is written letter for letter. It is announced, and not read.
            case code
            /// A pause between two scenes. It has no text.
            case scene
        }

        /// A part of the text in another language, at least a sentence long.
        package struct Passage: Codable, Equatable, Sendable {
            /// Bytes of the text.
            package var range: Range<Int>
            /// BCP-47.
            package var language: String

            package init(_ range: Range<Int>, language: String) {
                self.range = range
                self.language = language
            }
        }

        package var kind: Kind
        /// Spaces are single. A line feed ends a line of verse, of an address or of a heading; code has its own lines.
        package var text: String
        /// Where the text is stressed, in order, by its UTF-8 bytes.
        package var emphasis: [Range<Int>]
        /// It stands in a quotation that is set apart.
        package var isQuoted: Bool
        /// If it is another one than the document's.
        package var language: String?
        /// In order; they do not overlap.
        package var passages: [Passage] = []
        /// What it is if it belongs to the front matter of a book, or to the licence at its end.
        package var matter: FrontMatter?
        package var place: Place

        package init(
            _ kind: Kind, _ text: String, emphasis: [Range<Int>] = [], isQuoted: Bool = false, language: String? = nil,
            at place: Place
        ) {
            self.kind = kind
            self.text = text
            self.emphasis = emphasis
            self.isQuoted = isQuoted
            self.language = language
            self.place = place
        }

        /// A heading in one line, as contents and marks show it.
        package var title: String {
            text.split(separator: "\n").reduce(into: "") { title, line in
                if let last = title.last { title += last.isPunctuation ? " " : ". " }
                title += line
            }
        }

        package var words: Int {
            text.split { $0.isWhitespace }.reduce(0) { sum, word in
                sum + max(1, word.unicodeScalars.count { $0.isOfWordsWithoutSpaces })
            }
        }
    }

    /// A part of a book that most listeners skip.
    package enum FrontMatter: String, Codable, CaseIterable, Sendable {
        case cover, titlePage, copyright, dedication, contents, licence
    }

    /// Where a block begins in what was read.
    package struct Place: Codable, Equatable, Sendable {
        /// Of the files in a book; nil = the document is one file.
        package var member: String?
        /// From 1; 0 = not known.
        package var line: Int

        package init(member: String? = nil, line: Int) {
            self.member = member
            self.line = line
        }
    }
}

/// The formats that are documents by their names.
package enum DocumentForm: String, Equatable, Sendable {
    case book
    case page
    case markdown
    case pdf
    /// A PDF as the programs of poppler write it.
    case printed
    case docx
    case fictionBook

    /// The form that the ending of a file's name means; nil = none.
    package init?(path: String) {
        switch path.split(separator: ".").last?.lowercased() {
        case "epub": self = .book
        case "html", "htm", "xhtml": self = .page
        case "md", "markdown": self = .markdown
        case "pdf": self = .pdf
        case "docx", "docm", "dotx": self = .docx
        case "fb2": self = .fictionBook
        default: return nil
        }
    }
}

extension Unicode.Scalar {
    /// Of Han, Hiragana, Katakana: writing that has no spaces between words.
    fileprivate var isOfWordsWithoutSpaces: Bool {
        switch value {
        case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }
}

/// Chapters by their numbers, as in "3", "3-7", "1,4-".
package struct ChapterChoice: Equatable, Sendable {
    private let parts: [ClosedRange<Int>]

    /// nil = it is not of this form, or a number is 0.
    package init?(_ text: String) {
        var parts: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingPrefix { $0 == " " } }
            guard let first = ends.first, let from = Self.number(first) else { return nil }
            guard ends.count == 2 else {
                parts.append(from...from)
                continue
            }
            guard let to = ends[1].isEmpty ? Int.max : Self.number(ends[1]), from <= to else { return nil }
            parts.append(from...to)
        }
        self.parts = parts
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), number > 0
        else {
            return nil
        }
        return number
    }

    /// Whether it means the chapter of a number, which counts from 1.
    package func contains(_ number: Int) -> Bool { parts.contains { $0.contains(number) } }
}
