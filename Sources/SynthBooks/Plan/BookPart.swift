import Glibc
package import SynthDocuments
package import SynthScript
package import SynthSpeech
package import SynthSystem

/// The unit in which a book is synthesized: a few paragraphs of one chapter.
///
/// Chapters are divided identically on every machine, so the result does not depend on the number of processes.
package struct BookPart: Equatable, Sendable {
    /// The chapter number in the document, starting at 1.
    package let chapter: Int
    /// The part number within the chapter, starting at 1.
    package let number: Int
    package let words: Int
    /// The blocks' text, separated by empty lines.
    package let text: String
    /// The chapter's blocks that belong to this part.
    let blocks: Range<Int>
    private let said: ArraySlice<Document.Block>
    private let languages: DocumentLanguages
    /// The voices for byte ranges of the text. The narrator reads the remaining text.
    package let roles: [SpeakerRange]

    let voices: [String]

    var script: DocumentScript { DocumentScript([said], languages, continuesChapter: number > 1) }

    /// The script with the voices from `roles` assigned.
    ///
    /// - Throws: an error only if the part was not created by `parts(of:number:languages:cast:)`.
    package func spoken() throws(SpeechError) -> SpokenScript { try script.script.voiced(by: roles) }

    /// The content to store in the part's record. If the existing record differs, the part is synthesized again.
    var content: String {
        var content = Self.form + text + (languages.isFixed ? "\0fixed" : "")
        for (index, block) in said.enumerated() {
            content += "\0\(index) \(block.kind) \(block.language ?? "")"
            for passage in block.passages { content += " \(passage.range) \(passage.language)" }
        }
        return (roles.map { "\($0.range.lowerBound)-\($0.range.upperBound) \($0.voice)" } + voices)
            .reduce(into: content) { $0 += "\0\($1)" }
    }

    /// The prefix of every part's content. Earlier versions of synthhost assembled the text differently and did not use
    /// a prefix.
    static let form = "2\0"

    /// The number of words after which a part ends at the next paragraph.
    private static let enough = 250

    /// Divides a chapter into parts. Returns no parts if the chapter contains no text to speak.
    package static func parts(
        of chapter: Document.Chapter, number: Int, languages: DocumentLanguages = DocumentLanguages(nil),
        cast: BookCast? = nil
    ) -> [BookPart] {
        let lines = cast == nil ? [] : Dialogue(chapter.blocks).lines
        var parts: [BookPart] = []
        var blocks = 0..<0
        var words = 0
        func end() {
            guard words > 0 else { return }
            let said = chapter.blocks[blocks]
            let script = DocumentScript([said], languages)
            let roles = cast?.ranges(of: said, lines, chapter: number, script) ?? []
            let voices = Set(roles.map(\.voice)).sorted().map { cast?.described[$0] ?? $0 }
            parts.append(
                BookPart(
                    chapter: number, number: parts.count + 1, words: words,
                    text: String(decoding: script.text, as: UTF8.self), blocks: blocks, said: said,
                    languages: languages,
                    roles: roles, voices: voices))
            (blocks, words) = (blocks.upperBound..<blocks.upperBound, 0)
        }
        for (index, block) in chapter.blocks.enumerated() {
            // A heading stays with the text that follows it, and list items stay together.
            if words >= enough, block.endsPartBefore(blocks.last.map { chapter.blocks[$0] }) { end() }
            blocks = (blocks.isEmpty ? index : blocks.lowerBound)..<index + 1
            words += block.kind == .code ? 0 : block.words
        }
        end()
        return parts
    }
}

extension Document.Block {
    fileprivate func endsPartBefore(_ last: Document.Block?) -> Bool {
        if kind == .code { return false }
        if case .heading = last?.kind { return false }
        if case .item = kind, case .item = last?.kind { return false }
        return true
    }
}

/// The voice and settings for a book's parts. Different values produce different audio.
package struct BookVoice: Codable, Equatable, Sendable {
    package var engine: String
    package var engineVersion: String
    /// A description of the voice, or of the voices in a blend.
    package var voice: String
    /// Settings such as rate and pitch, keyed by name.
    package var settings: [String: String]

    package init(engine: String, engineVersion: String, voice: String, settings: [String: String]) {
        self.engine = engine
        self.engineVersion = engineVersion
        self.voice = voice
        self.settings = settings
    }
}

/// Functions for small files that are written atomically.
enum FinishedFile {
    static func write(_ bytes: [UInt8], to path: String) throws {
        do {
            let file = try ReplacementFile(at: path)
            try file.file.writeAll(bytes)
            try file.publish()
        } catch {
            throw BookFailure.file(path: path, error)
        }
    }

    /// Blocks until a written file is on disk.
    static func sync(_ path: String) throws {
        guard RegularFile(path: path) != nil else { return }
        do throws(Errno) {
            for (path, flags) in [(path, O_RDONLY), (LinkTarget.folder(of: path), O_RDONLY | O_DIRECTORY)] {
                let file = try Descriptor.open(path, flags)
                // Other errors mean that the file system does not support fsync.
                if fsync(file.raw) != 0, [EIO, ENOSPC, EDQUOT].contains(errno) { throw .last }
            }
        } catch {
            throw BookFailure.file(path: path, error)
        }
    }

    /// The size in bytes of the regular file at this path, or nil if there is none.
    static func size(_ path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    static func holdsSomething(_ path: String) -> Bool { size(path) ?? 0 > 0 }

    /// Whether anything exists at the path, even a broken symbolic link.
    static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
