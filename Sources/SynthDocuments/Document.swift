import SynthJSON
import SynthSystem

/// Structured text, such as a book or an article, independent of its file format. The encoded form does not include the
/// chapters.
package struct Document: Codable, Equatable, Sendable {
    package var title: String?
    package var authors: [String]
    /// The main language (BCP 47), or nil if the document does not specify it.
    package var language: String?
    /// Identifiers, such as an ISBN, a UUID or a URL, or nil if there are none.
    package var identifiers: [String]?
    /// Files that the document refers to but does not contain, which means that some text may be missing. nil if there
    /// are none.
    package var missing: [String]?
    /// The numbers of a PDF's pages that are images without text, in ascending order, starting at 1, or nil if there are
    /// none.
    package var pagesWithoutText: [Int]?
    /// The cover image, or nil if there is none.
    package var cover: Picture?
    package var chapters: [Chapter] = []

    private enum CodingKeys: CodingKey {
        case title, authors, language, identifiers, missing, pagesWithoutText, cover
    }

    /// The pages without text that are worth reporting. If the first page is the only one, it is ignored, because it is
    /// usually the cover.
    package var scannedPages: [Int] { pagesWithoutText == [1] ? [] : pagesWithoutText ?? [] }

    package init(title: String? = nil, authors: [String] = [], language: String? = nil) {
        self.title = title
        self.authors = authors
        self.language = language
    }

    /// An image in a format that audio players can display.
    package struct Picture: Codable, Equatable, Sendable {
        /// `image/jpeg` or `image/png`.
        package let type: String
        private let content: BytesAsText

        package var bytes: [UInt8] { content.bytes }

        /// Returns nil if the image is in a different format.
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

    /// A section listed in the table of contents, or the text before the first listed section.
    package struct Chapter: Codable, Equatable, Sendable {
        /// The title from the table of contents or, if the chapter is not listed there, the first heading. nil if there
        /// is neither.
        package var title: String?
        package var blocks: [Block]
        /// The level in the table of contents, starting at 1, or nil if the chapter is not listed there.
        package var level: Int?

        package init(title: String? = nil, blocks: [Block] = [], level: Int? = nil) {
            self.title = title
            self.blocks = blocks
            self.level = level
        }

        /// The number of words, which are separated by spaces. Each Chinese or Japanese character also counts as a
        /// word.
        package var words: Int { blocks.reduce(0) { $0 + $1.words } }
    }

    /// A heading, a paragraph or any other part of the text that is read as a unit.
    package struct Block: Codable, Equatable, Sendable {
        /// The type of a block, which determines how the block is read.
        package enum Kind: Codable, Equatable, Sendable {
            /// A heading. The top level is 1.
            case heading(level: Int)
            case paragraph
            /// A list item. `depth` starts at 1; `number` is the item's number in a numbered list.
            case item(depth: Int, number: Int?)
            /// A table row, with commas between its cells.
            case row
            /// An image's alternative text.
            case figure
            /// Source code or other literal text. It is announced but not read.
            case code
            /// A pause between scenes. It has no text.
            case scene
        }

        /// A passage of at least one sentence in a different language from the rest of the block.
        package struct Passage: Codable, Equatable, Sendable {
            /// The byte range in the text.
            package var range: Range<Int>
            /// A BCP 47 tag.
            package var language: String

            package init(_ range: Range<Int>, language: String) {
                self.range = range
                self.language = language
            }
        }

        package var kind: Kind
        /// The text, with single spaces. A line feed ends a line of verse, an address or a heading; code keeps its line
        /// breaks.
        package var text: String
        /// The emphasized ranges in UTF-8 bytes, in order.
        package var emphasis: [Range<Int>]
        /// Whether the block is part of a block quotation.
        package var isQuoted: Bool
        /// The language if it differs from the document's language, otherwise nil.
        package var language: String?
        /// The passages in other languages, in order and without overlap.
        package var passages: [Passage] = []
        /// The type of front matter that contains the block, or `license` for a license at the end of a book. nil for
        /// other blocks.
        package var matter: FrontMatter?
        package var place: Position

        package init(
            _ kind: Kind, _ text: String, emphasis: [Range<Int>] = [], isQuoted: Bool = false, language: String? = nil,
            at place: Position
        ) {
            self.kind = kind
            self.text = text
            self.emphasis = emphasis
            self.isQuoted = isQuoted
            self.language = language
            self.place = place
        }

        /// The text of a heading as one line, for tables of contents and chapter marks.
        package var title: String {
            text.split(separator: "\n").reduce(into: "") { title, line in
                if let last = title.last { title += last.isPunctuation ? " " : ". " }
                title += line
            }
        }

        package var words: Int {
            // In a long text, iterating over scalars is much faster than iterating over characters.
            var (sum, isInWord, signs) = (0, false, 0)
            func endWord() {
                if isInWord { sum += max(1, signs) }
                (isInWord, signs) = (false, 0)
            }
            for scalar in text.unicodeScalars {
                if scalar.isASCII ? scalar == " " || (9...13).contains(scalar.value) : scalar.properties.isWhitespace {
                    endWord()
                } else {
                    isInWord = true
                    if scalar.isOfWordsWithoutSpaces { signs += 1 }
                }
            }
            endWord()
            return sum
        }
    }

    /// A section of a book that most listeners skip.
    package enum FrontMatter: String, Codable, CaseIterable, Sendable {
        case cover, titlePage, copyright, dedication, contents, license
    }

    /// The source position at which a block starts.
    package struct Position: Codable, Equatable, Sendable {
        /// The file in the book, or nil if the document consists of a single file.
        package var member: String?
        /// The line number, starting at 1, or 0 if it is unknown.
        package var line: Int

        package init(member: String? = nil, line: Int) {
            self.member = member
            self.line = line
        }
    }
}

/// The formats that are recognized by file name.
package enum DocumentForm: String, Equatable, Sendable {
    case book
    case page
    case markdown
    case pdf
    /// A PDF, as converted by poppler's programs.
    case printed
    case docx
    case fictionBook

    /// Returns the format for a file extension, or nil if it is not the extension of a document format.
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
    /// Whether the scalar is Han, Hiragana or Katakana, which are written without spaces between words.
    fileprivate var isOfWordsWithoutSpaces: Bool {
        switch value {
        case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }
}

/// A selection of chapters by number, such as "3", "3-7" or "1,4-".
package struct ChapterChoice: Equatable, Sendable {
    private let parts: [ClosedRange<Int>]

    /// Returns nil if the text is malformed or contains the chapter number 0.
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

    /// Whether the selection contains a chapter number, starting at 1.
    package func contains(_ number: Int) -> Bool { parts.contains { $0.contains(number) } }
}

extension Document {
    /// Returns the selected chapters that contain text, along with their numbers, which start at 1.
    package func chosen(
        skipsFrontMatter: Bool, _ isChosen: (_ number: Int) -> Bool
    ) -> [(number: Int, chapter: Chapter)] {
        zip(1..., chapters).filter { isChosen($0.0) }.compactMap { number, chapter in
            guard skipsFrontMatter else { return (number, chapter) }
            var chapter = chapter
            chapter.blocks.removeAll { $0.matter != nil }
            return chapter.blocks.contains { $0.kind != .scene } ? (number, chapter) : nil
        }
    }
}

/// Words that are inserted into the text in the document's language.
package struct DocumentWords: Equatable, Sendable {
    /// The word that introduces a footnote within the text.
    package let note: String
    /// The announcement that replaces source code and other literal text, which are not read.
    package let code: String
    /// The announcement that replaces a formula that cannot be verbalized.
    package let formula: String
    /// The words between a base and a non-numeric exponent, such as "to the power of".
    package let power: String
    /// The word between the numerator and the denominator of a fraction.
    package let over: String

    /// - Parameter language: a BCP 47 tag. English is used for unsupported languages.
    package init(language: String?) {
        let base = language.map(LanguageTag.primary) ?? Self.fallback
        func text(_ texts: [String: String]) -> String { texts[base] ?? texts[Self.fallback] ?? "" }
        note = text(LanguageWords.note)
        code = text(LanguageWords.code)
        formula = text(LanguageWords.formula)
        power = text(LanguageWords.power)
        over = text(LanguageWords.over)
    }

    private static let fallback = "en"
}
