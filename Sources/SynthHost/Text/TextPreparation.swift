package import SpeechScript
import Verbalization

/// Says in words what a text writes otherwise: the words of a lexicon first, then what is left of markup, then numbers, dates
/// and whatever else is abbreviated.
package struct TextPreparation: Sendable {
    private let lexicon: Lexicon?
    private let verbalizers: Verbalizers?
    private let keepsNotation: Bool

    /// - Parameters:
    ///   - verbalizers: nil = the text stays as it is, but for the lexicon.
    ///   - keepsNotation: an utterance in which `[[ … ]]` holds phonemes stays as it is.
    package init(lexicon: SpeechLexicon?, verbalizers: Verbalizers?, keepsNotation: Bool = false) {
        self.keepsNotation = keepsNotation
        self.lexicon = lexicon.flatMap { $0.lexicon.isEmpty ? nil : $0.lexicon }
        self.verbalizers = verbalizers
    }

    var isEmpty: Bool { lexicon == nil && verbalizers == nil }

    /// - Parameters:
    ///   - language: BCP-47.
    ///   - isPlain: signs in the text may be left of markup.
    /// - Returns: nil if nothing is left to say.
    package func prepare(_ utterance: Utterance, in language: String, isPlain: Bool = true) -> Utterance? {
        if keepsNotation, utterance.text.contains("[[") { return utterance }
        var said = utterance
        if let verbalizers, !utterance.readings.isEmpty {
            said = said.applying(Self.edits(of: utterance, by: verbalizers.verbalizer(of: language)))
        }
        if let lexicon {
            said = said.applying(lexicon.edits(of: said.text, in: language))
        }
        if let verbalizers {
            if isPlain { said = said.applying(StrayMarkup.replacements(in: said.text).map { TextEdit($0) }) }
            if said.isBlank { return nil }
            said = said.applying(verbalizers.verbalizer(of: language).replacements(in: said.text).map { TextEdit($0) })
        }
        return said.isBlank ? nil : said
    }

    /// What a document says of stretches of a text. Of what is no such thing, the text stays.
    private static func edits(of utterance: Utterance, by verbalizer: Verbalizer) -> [TextEdit] {
        let bytes = Array(utterance.text.utf8)
        return utterance.readings.compactMap { reading in
            let text = String(decoding: bytes[reading.range], as: UTF8.self)
            guard let kind = SpokenKind(interpretAs: reading.value.kind),
                let words = verbalizer.words(for: text, as: kind, format: reading.value.format)
            else { return nil }
            return TextEdit(range: reading.range, replacement: .text(words))
        }
    }
}

extension TextEdit {
    fileprivate init(_ replacement: Verbalization.Replacement) {
        self.init(range: replacement.range, replacement: .text(replacement.words))
    }
}

extension Utterance {
    fileprivate var isBlank: Bool { text.utf8.allSatisfy { $0 == 0x20 } }
}
