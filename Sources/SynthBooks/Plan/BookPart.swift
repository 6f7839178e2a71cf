package import SynthDocuments
package import SynthScript
package import SynthSpeech
package import SynthSystem

/// A part of a book that is spoken in one go: some paragraphs of one chapter.
///
/// A chapter is cut in the same way wherever it is spoken, so that one program makes what many machines make.
package struct BookPart: Equatable, Sendable {
    /// From 1, in the whole document.
    package let chapter: Int
    /// From 1, within the chapter.
    package let number: Int
    package let words: Int
    /// The texts of its blocks, with an empty line between them.
    package let text: String
    /// Those of the chapter's that it has.
    let blocks: Range<Int>
    private let said: ArraySlice<Document.Block>
    private let languages: DocumentLanguages
    /// Who reads which bytes of the text; the narrator reads the rest.
    package let roles: [VoicedRange]

    /// What the voices of the roles are.
    let voices: [String]

    /// What is spoken.
    var script: DocumentScript { DocumentScript([said], languages, continuesChapter: number > 1) }

    /// What is spoken, by whom.
    ///
    /// - Throws: never, for parts that this value made.
    package func spoken() throws(SpeechError) -> SpokenScript { try script.script.voiced(by: roles) }

    /// What is not equal is another part.
    var content: String {
        var content = Self.form + text + (languages.isFixed ? "\0fixed" : "")
        for (index, block) in said.enumerated() {
            content += "\0\(index) \(block.kind) \(block.language ?? "")"
            for passage in block.passages { content += " \(passage.range) \(passage.language)" }
        }
        return (roles.map { "\($0.range.lowerBound)-\($0.range.upperBound) \($0.voice)" } + voices)
            .reduce(into: content) { $0 += "\0\($1)" }
    }

    /// Begins the content of all parts; versions that put another text together had none.
    static let form = "2\0"

    /// From so many words on, a part ends with the next paragraph.
    private static let enough = 250

    /// The parts of a chapter that has anything to say.
    package static func parts(
        of chapter: Document.Chapter, number: Int, languages: DocumentLanguages = DocumentLanguages(nil),
        cast: BookCast? = nil
    ) -> [BookPart] {
        let lines = cast.map { $0.lines(of: chapter.blocks) } ?? []
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
            // What belongs together stays together: a heading and what follows it, the items of a list.
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
