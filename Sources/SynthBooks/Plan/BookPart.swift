package import SynthDocuments
package import SynthScript

/// A part of a book that is spoken in one go: some paragraphs of one chapter.
///
/// A chapter is cut in the same way wherever it is spoken, so that one program makes what many machines make.
package struct BookPart: Equatable, Sendable {
    /// From 1, in the whole document.
    package let chapter: Int
    /// From 1, within the chapter.
    package let number: Int
    package let words: Int
    /// Markdown, in UTF-8.
    package let text: String
    /// Those of the chapter's that it has.
    let blocks: Range<Int>
    /// Who reads which bytes of it; the narrator reads the rest.
    package let roles: [VoicedRange]

    /// What the voices of the roles are.
    let voices: [String]

    /// What is not equal is another part.
    var content: String {
        (roles.map { "\($0.range.lowerBound)-\($0.range.upperBound) \($0.voice)" } + voices).reduce(into: text) {
            $0 += "\0\($1)"
        }
    }

    /// From so many words on, a part ends with the next paragraph.
    private static let enough = 250

    /// The parts of a chapter that has anything to say.
    package static func parts(
        of chapter: Document.Chapter, number: Int, language: String? = nil, cast: BookCast? = nil
    ) -> [BookPart] {
        var parts: [BookPart] = []
        var blocks = 0..<0
        var words = 0
        func end() {
            guard words > 0 else { return }
            let markdown = DocumentMarkdown(chapter, blocks, language: language)
            let text = String(decoding: markdown.bytes, as: UTF8.self)
            let roles = cast?.ranges(of: chapter.blocks[blocks], chapter: number, markdown) ?? []
            let voices = Set(roles.map(\.voice)).sorted().map { cast?.described[$0] ?? $0 }
            parts.append(
                BookPart(
                    chapter: number, number: parts.count + 1, words: words, text: text, blocks: blocks, roles: roles,
                    voices: voices))
            (blocks, words) = (blocks.upperBound..<blocks.upperBound, 0)
        }
        for (index, block) in chapter.blocks.enumerated() {
            // What belongs together stays together: a heading and what follows it, the items of a list.
            if words >= enough, block.endsPartBefore(blocks.last.map { chapter.blocks[$0] }) { end() }
            blocks = (blocks.isEmpty ? index : blocks.lowerBound)..<index + 1
            words += block.kind == .code ? 0 : block.words
        }
        end()
        return parts
    }
}

extension DocumentMarkdown {
    /// Some blocks of a chapter.
    init(_ chapter: Document.Chapter, _ blocks: Range<Int>, language: String?) {
        self.init([Document.Chapter(blocks: Array(chapter.blocks[blocks]))], language: language)
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

/// How the parts of a book are spoken. What is not equal sounds otherwise.
package struct BookVoice: Codable, Equatable, Sendable {
    package var engine: String
    package var engineVersion: String
    /// What the voice is, or the voices of a blend are.
    package var voice: String
    /// By name: rate, pitch, and the like.
    package var settings: [String: String]

    package init(engine: String, engineVersion: String, voice: String, settings: [String: String]) {
        self.engine = engine
        self.engineVersion = engineVersion
        self.voice = voice
        self.settings = settings
    }
}
