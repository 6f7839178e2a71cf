package import SynthDocuments
package import SynthScript
package import SynthSpeech
package import SynthSystem

/// The unit of synthesis for a book: a few paragraphs of one chapter.
///
/// Every machine cuts a chapter in the same way, so one process and many produce the same book.
package struct BookPart: Equatable, Sendable {
    /// The chapter number in the document, from 1.
    package let chapter: Int
    /// The part number within the chapter, from 1.
    package let number: Int
    package let words: Int
    /// The texts of the blocks, separated by empty lines.
    package let text: String
    /// The range of the chapter's blocks in this part.
    let blocks: Range<Int>
    private let said: ArraySlice<Document.Block>
    private let languages: DocumentLanguages
    /// The voices for byte ranges of the text. The narrator reads the rest.
    package let roles: [VoicedRange]

    /// Descriptions of the voices in `roles`.
    let voices: [String]

    /// The script of the part.
    var script: DocumentScript { DocumentScript([said], languages, continuesChapter: number > 1) }

    /// The script with the voices of its roles.
    ///
    /// - Throws: never for parts that `parts(of:number:languages:cast:)` created.
    package func spoken() throws(SpeechError) -> SpokenScript { try script.script.voiced(by: roles) }

    /// The content that a record is compared with. If it differs, the part is synthesized again.
    var content: String {
        var content = Self.form + text + (languages.isFixed ? "\0fixed" : "")
        for (index, block) in said.enumerated() {
            content += "\0\(index) \(block.kind) \(block.language ?? "")"
            for passage in block.passages { content += " \(passage.range) \(passage.language)" }
        }
        return (roles.map { "\($0.range.lowerBound)-\($0.range.upperBound) \($0.voice)" } + voices)
            .reduce(into: content) { $0 += "\0\($1)" }
    }

    /// The prefix of every part's content. Versions that composed the text differently had none.
    static let form = "2\0"

    /// After this many words, a part ends at the next paragraph.
    private static let enough = 250

    /// The parts of a chapter. A chapter without speech has none.
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
            // A heading stays with the text that follows it, and the items of a list stay together.
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

/// The voice and settings for the parts of a book. Different values produce different audio.
package struct BookVoice: Codable, Equatable, Sendable {
    package var engine: String
    package var engineVersion: String
    /// A description of the voice or of the voices in a blend.
    package var voice: String
    /// Settings such as rate and pitch, by name.
    package var settings: [String: String]

    package init(engine: String, engineVersion: String, voice: String, settings: [String: String]) {
        self.engine = engine
        self.engineVersion = engineVersion
        self.voice = voice
        self.settings = settings
    }
}
