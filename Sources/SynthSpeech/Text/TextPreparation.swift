import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
package import SynthScript
package import SynthSystem
package import SynthVerbalization

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

    package var isEmpty: Bool { lexicon == nil && verbalizers == nil }

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
        if verbalizers != nil {
            said = said.applying(MathText.replacements(in: said.text).map { TextEdit($0) })
            said = said.applying(PlainLetters.replacements(in: said.text).map { TextEdit($0) })
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
    fileprivate init(_ replacement: SynthVerbalization.Replacement) {
        self.init(range: replacement.range, replacement: .text(replacement.words))
    }
}

extension Utterance {
    fileprivate var isBlank: Bool { text.utf8.allSatisfy { $0 == 0x20 } }
}

/// The verbalizers of all languages, each made when a text of its language first needs one. Any thread may use it.
package final class Verbalizers: Sendable {
    private static let most = 16

    private let tables: String
    private let known = Monitor<[String: Verbalizer]>([:])

    /// - Parameter tables: the folder of the languages' tables.
    package init(tables: String) { self.tables = tables }

    /// - Parameter language: BCP-47.
    package func verbalizer(of language: String) -> Verbalizer {
        known.update { known in
            if let verbalizer = known[language] { return verbalizer }
            // A document may name any number of languages.
            if known.count == Self.most { known = [:] }
            let verbalizer = Verbalizer(language: Self.tableTag(language), tables: tables)
            known[language] = verbalizer
            return verbalizer
        }
    }

    /// Mandarin has its tables under the tag of Chinese.
    private static func tableTag(_ language: String) -> String {
        RelatedLanguages.areSame(language, "zh") && !language.lowercased().hasPrefix("zh") ? "zh" : language
    }
}

/// A text of which some words are said otherwise than they are written.
package final class PreparedText: TextSource {
    private let source: any TextSource
    private let language: String
    private let preparation: TextPreparation
    /// What is left of an utterance without anything to say.
    private let marks = Monitor<ArraySlice<Utterance.Mark>>([])

    /// - Parameter language: of what the text does not say otherwise.
    package init(_ source: any TextSource, in language: String, by preparation: TextPreparation) {
        self.source = source
        self.language = language
        self.preparation = preparation
    }

    package var byteCount: Int? { source.byteCount }
    package var file: RegularFile? { source.file }
    package func stop() { source.stop() }

    package func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) {
        source.beginSoon(ifAwaited: isAwaited)
    }

    package func next() throws(SpeechError) -> ScriptStep? {
        while true {
            if let mark = marks.update({ $0.popFirst() }) { return .mark(mark.name, source: mark.source) }
            guard let step = try source.next() else { return nil }
            guard case .utterance(let utterance) = step else { return step }
            let said = preparation.prepare(utterance, in: utterance.style.language ?? language, isPlain: source.isPlain)
            // Of an utterance without anything to say, its marks are left.
            if let said { return .utterance(said) }
            marks.update { $0 = utterance.marks[...] }
        }
    }
}

/// An utterance's text as its engine gets it, and the way back to the utterance's own.
package struct EngineText {
    package let form: SpokenForm
    /// From the text whose marks are as engines read them to the utterance's; nil = it is the same.
    private let marked: SourceMap?

    /// - Parameter takesPhonemes: whether the engine speaks IPA.
    package init(_ utterance: Utterance, takesPhonemes: Bool) {
        let edits = ClauseMarks.edits(of: utterance.text)
        guard !edits.isEmpty else {
            form = SpokenForm(utterance, takesPhonemes: takesPhonemes)
            marked = nil
            return
        }
        // With places in the utterance's text instead of the document.
        let edited = Utterance(
            text: utterance.text, source: SourceMap(offset: 0), pauseAfter: utterance.pauseAfter,
            style: utterance.style, pronunciations: utterance.pronunciations
        ).applying(edits)
        form = SpokenForm(edited, takesPhonemes: takesPhonemes)
        marked = edited.source
    }

    /// The part with the place of an event in the utterance's text, for one in what the engine got.
    func placed(_ part: SpeechPart) -> SpeechPart {
        guard case .event(var event) = part else { return part }
        event.text = place(of: event.text)
        return .event(event)
    }

    /// The byte of what the engine got at which a byte of the utterance's text is spoken.
    func offset(of byte: Int) -> Int {
        let text = Array(form.text.utf8)
        var (low, high) = (0, text.count)
        while low < high {
            let middle = (low + high) / 2
            if place(of: middle..<middle + 1).lowerBound < byte { low = middle + 1 } else { high = middle }
        }
        while low < text.count, UTF8.isContinuation(text[low]) { low += 1 }
        return low
    }

    /// The range in the utterance's text of a range of what the engine got.
    func place(of range: Range<Int>) -> Range<Int> {
        let place = form.places.sourceRange(of: range)
        return marked?.sourceRange(of: place) ?? place
    }
}
