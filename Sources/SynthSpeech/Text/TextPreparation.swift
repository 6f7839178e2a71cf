import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
package import SynthScript
package import SynthSystem
package import SynthVerbalization

/// Normalizes text: expands passages whose type the document specifies, converts formulas and stylized letters to plain
/// text, applies a lexicon, removes leftover markup, and finally expands numbers, dates and abbreviations to words.
package struct TextPreparation: Sendable {
    private let lexicon: Lexicon?
    private let verbalizers: Verbalizers?
    private let keepsNotation: Bool

    /// - Parameters:
    ///   - verbalizers: the verbalizers, or nil to apply only the lexicon.
    ///   - keepsNotation: whether to leave utterances that contain phonemes in `[[ … ]]` unchanged.
    package init(lexicon: SpeechLexicon?, verbalizers: Verbalizers?, keepsNotation: Bool = false) {
        self.keepsNotation = keepsNotation
        self.lexicon = lexicon.flatMap { $0.lexicon.isEmpty ? nil : $0.lexicon }
        self.verbalizers = verbalizers
    }

    package var isEmpty: Bool { lexicon == nil && verbalizers == nil }

    /// Normalizes an utterance.
    ///
    /// - Parameters:
    ///   - language: a BCP 47 tag.
    ///   - isPlain: whether the text may contain leftover markup.
    /// - Returns: the normalized utterance, or nil if it contains no speech.
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

    /// Returns the edits for passages to which the document assigns a type, such as a date. A passage that does not
    /// match its type is left unchanged.
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

/// The verbalizers for all languages, created on demand. Thread-safe.
package final class Verbalizers: Sendable {
    private static let most = 16

    private let tables: String
    private let known = Monitor<[String: Verbalizer]>([:])

    /// - Parameter tables: the folder that contains the tables for all languages.
    package init(tables: String) { self.tables = tables }

    /// Returns the verbalizer for a language.
    ///
    /// - Parameter language: a BCP 47 tag.
    package func verbalizer(of language: String) -> Verbalizer {
        known.update { known in
            if let verbalizer = known[language] { return verbalizer }
            // Limit memory use, because a document may contain any number of languages.
            if known.count == Self.most { known = [:] }
            let verbalizer = Verbalizer(language: Self.tableTag(language), tables: tables)
            known[language] = verbalizer
            return verbalizer
        }
    }

    /// Returns the tag that determines which tables to use. Mandarin uses the tables for Chinese.
    private static func tableTag(_ language: String) -> String {
        RelatedLanguages.areSame(language, "zh") && !language.lowercased().hasPrefix("zh") ? "zh" : language
    }
}

/// A text source that normalizes the utterances of another source.
package final class PreparedText: TextSource {
    private let source: any TextSource
    private let language: String
    private let preparation: TextPreparation
    /// Marks that have not been returned yet, from an utterance without speech.
    private let marks = Monitor<ArraySlice<Utterance.Mark>>([])

    /// - Parameter language: the language of text that does not specify one.
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
            // Marks are returned even if the utterance contains no speech.
            if let said { return .utterance(said) }
            marks.update { $0 = utterance.marks[...] }
        }
    }
}

/// An utterance's text for the engine, with a mapping to the utterance's original text.
package struct EngineText {
    package let form: SpokenForm
    /// Maps the engine's text, in which clause marks are normalized, to the utterance's text; nil if the two texts are
    /// equal.
    private let marked: SourceMap?

    /// - Parameter takesPhonemes: whether the engine accepts IPA.
    package init(_ utterance: Utterance, takesPhonemes: Bool) {
        let edits = ClauseMarks.edits(of: utterance.text)
        guard !edits.isEmpty else {
            form = SpokenForm(utterance, takesPhonemes: takesPhonemes)
            marked = nil
            return
        }
        // In this copy, positions refer to the utterance's text instead of the document.
        let edited = Utterance(
            text: utterance.text, source: SourceMap(offset: 0), pauseAfter: utterance.pauseAfter,
            style: utterance.style, pronunciations: utterance.pronunciations
        ).applying(edits)
        form = SpokenForm(edited, takesPhonemes: takesPhonemes)
        marked = edited.source
    }

    /// Converts an event's range from the engine's text to the utterance's text.
    func placed(_ part: SpeechPart) -> SpeechPart {
        guard case .event(var event) = part else { return part }
        event.text = place(of: event.text)
        return .event(event)
    }

    /// Maps a byte offset in the utterance's text to the engine's text.
    func offset(of byte: Int) -> Int {
        let text = Array(form.text.utf8)
        var found = text.indices.firstSortedIndex { place(of: $0..<$0 + 1).lowerBound >= byte }
        while found < text.count, UTF8.isContinuation(text[found]) { found += 1 }
        return found
    }

    /// Maps a range in the engine's text to a range in the utterance's text.
    func place(of range: Range<Int>) -> Range<Int> {
        let place = form.places.sourceRange(of: range)
        return marked?.sourceRange(of: place) ?? place
    }
}
