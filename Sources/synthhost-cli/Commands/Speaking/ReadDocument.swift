import Glibc
import SynthBooks
import SynthCommandSyntax
import SynthDocuments
import SynthHost
import SynthSystem
import SynthTerminal

/// A document with the selected chapters.
struct ReadDocument {
    private let arguments: ParsedArguments
    private(set) var document: Document
    /// The modification time of the document's file, as a Unix time in seconds.
    let modified: Int
    let chosen: [(number: Int, chapter: Document.Chapter)]
    /// The front matter of the selected chapters, with the word count for each kind. It is skipped only with
    /// `--skip-front-matter`.
    let frontMatter: [(kind: Document.FrontMatter, words: Int)]

    /// - Parameters:
    ///   - path: the path of the document, or just its name if `given` is set.
    ///   - form: the format, or nil to detect it.
    ///   - given: an open file with the document, or nil to open the path.
    init(
        _ context: CommandContext, path: String, _ form: DocumentForm?,
        withCover: Bool = false, from given: Descriptor? = nil
    ) throws {
        arguments = context.arguments
        let program = try context.installation().read
        let file: Descriptor
        if let given {
            file = given
        } else {
            do {
                file = try Descriptor.openRegular(path).file
            } catch {
                if error == Errno(ENOENT), path.hasPrefix("https://") || path.hasPrefix("http://") {
                    throw CommandFailure(
                        .inputMissing, "\(path) is a URL, but only files can be read.",
                        "Save the page as a file first, or type: curl -L \(ShellWord.quoted(path)) | synthhost read")
                }
                throw CommandFailure(unreadable: path, error)
            }
        }
        var status = stat()
        modified = fstat(file.raw, &status) == 0 ? Int(status.st_mtim.tv_sec) : 0
        let reader = DocumentProgram(path: program, environment: context.childEnvironment)
        document = try rethrowing(
            reader.read(
                file, as: form,
                Set([.scans] + (withCover ? [.cover] : []) + (context.arguments[Options.notes] ? [.notes] : [])))
        ) { CommandFailure(SpeechError(document: path, $0)) }
        if let missing = document.missing {
            context.printMessage(
                "\(path) refers to files that it does not contain, so some text may be missing: "
                    + missing.map { CleanText.line($0) }.joined(separator: ", ") + ".")
        }
        if !document.scannedPages.isEmpty {
            let pages = PageNumbers.words(document.scannedPages)
            context.printMessage(
                "Some pages of \(path) are images without text and are not read: \(pages). To recognize their text, type: "
                    + "ocrmypdf --skip-text \(ShellWord.quoted(path)) readable.pdf")
        }
        var skipped = SkippedBlocks(patterns: arguments[all: Options.skip])
        for index in document.chapters.indices {
            document.chapters[index].blocks.removeAll { skipped.contains($0.text) }
        }
        for pattern in skipped.unused {
            context.printMessage("No paragraph of \(path) matches --skip \(ShellWord.quoted(pattern)).")
        }
        let choice = arguments[Options.chapters]
        let all = zip(1..., document.chapters).filter { choice?.contains($0.0) ?? true }
        var words: [Document.FrontMatter: Int] = [:]
        for block in all.flatMap(\.1.blocks) {
            if let matter = block.matter, block.words > 0 { words[matter, default: 0] += block.words }
        }
        frontMatter = Document.FrontMatter.allCases.compactMap { kind in words[kind].map { (kind, $0) } }
        chosen = document.chosen(skipsFrontMatter: arguments[Options.skipFrontMatter]) { choice?.contains($0) ?? true }
        guard !chosen.isEmpty else {
            let count = document.chapters.count
            throw CommandFailure(
                .usage, count == 1 ? "\(path) has only one chapter." : "\(path) has only chapters 1 to \(count).",
                "To list the chapters, type: synthhost book \(ShellWord.quoted(path))")
        }
    }

    /// Returns the languages in which to speak the document. A voice or language option determines the language of the entire document.
    var languages: DocumentLanguages {
        DocumentLanguages(
            document.language, isFixed: arguments[Options.voice] != nil || arguments[Options.language] != nil)
    }

    /// The languages, without duplicates, of passages that are not in the document's main language.
    var otherLanguages: [String] {
        var seen: Set<String> = document.language.map { [LanguageTag.primary($0)] } ?? []
        return chosen.flatMap(\.chapter.blocks).flatMap {
            [$0.language].compactMap { $0 } + $0.passages.map(\.language)
        }
        .filter { seen.insert(LanguageTag.primary($0)).inserted }
    }

    /// A sentence about the detected front matter, or nil if there is none.
    var frontMatterNotice: String? {
        if frontMatter.isEmpty { return nil }
        let words = frontMatter.reduce(0) { $0 + $1.words }
        let list = frontMatter.map(\.kind.words).joined(separator: ", ")
        let count = "\(words) \(words == 1 ? "word" : "words")"
        return arguments[Options.skipFrontMatter]
            ? "Skipped: \(list) (\(count))."
            : "Front matter: \(list) (\(count)). To skip it, add --skip-front-matter."
    }

    /// Estimates the duration of speech at 160 words per minute.
    static func seconds(_ words: Int) -> Int { words * 60 / 160 }
}

extension Document.FrontMatter {
    fileprivate var words: String {
        switch self {
        case .cover: "cover"
        case .titlePage: "title page"
        case .copyright: "copyright page"
        case .dedication: "dedication"
        case .contents: "contents"
        case .license: "license"
        }
    }
}

/// The paragraphs to skip. A `--skip` pattern must match the complete text of a paragraph.
private struct SkippedBlocks {
    let patterns: [String]
    private(set) var used: Set<String> = []

    mutating func contains(_ text: String) -> Bool {
        guard let pattern = patterns.first(where: { fnmatch($0, text, Self.ignoringCase) == 0 }) else { return false }
        used.insert(pattern)
        return true
    }

    /// The patterns that have not matched any paragraph.
    var unused: [String] { patterns.filter { !used.contains($0) } }

    /// FNM_CASEFOLD, which Swift does not import.
    private static let ignoringCase: Int32 = 16
}

/// Formats page numbers as text, such as "2, 5 to 9 and 12".
enum PageNumbers {
    /// The maximum number of ranges to list.
    private static let maximum = 10

    /// - Parameter pages: the numbers in ascending order.
    static func words(_ pages: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for page in pages {
            if let last = ranges.last, last.upperBound == page - 1 {
                ranges[ranges.count - 1] = last.lowerBound...page
            } else {
                ranges.append(page...page)
            }
        }
        var words = ranges.prefix(maximum).flatMap { range in
            range.count < 3 ? range.map(String.init) : ["\(range.lowerBound) to \(range.upperBound)"]
        }
        if ranges.count > maximum { words.append("others") }
        return Wording.all(words)
    }
}
