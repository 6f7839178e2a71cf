import Foundation
import SynthScript
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Text preparation")
struct TextPreparationTests {
    private static let tables = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/SynthVerbalization/Languages")
        .path
    private static let verbalizers = Verbalizers(tables: tables)

    /// The text to speak, one element per utterance.
    private func said(
        _ text: any TextSource, in language: String = "en-GB", _ lexicon: SpeechLexicon? = nil,
        verbalizers: Verbalizers? = verbalizers
    ) throws -> [Utterance] {
        let prepared = PreparedText(
            text, in: language, by: TextPreparation(lexicon: lexicon, verbalizers: verbalizers))
        var utterances: [Utterance] = []
        while let step = try prepared.next() { if let utterance = step.utterance { utterances.append(utterance) } }
        return utterances
    }

    @Test("Abbreviations are replaced by words in the text's language, and all other text is unchanged")
    func words() throws {
        #expect(
            try said(CompleteText("Dr. Wu paid $3.50. Nothing else.")).map(\.text) == [
                "Doctor Wu paid three dollars and fifty cents.", "Nothing else.",
            ])
        #expect(try said(CompleteText("Es waren 5 km."), in: "de").map(\.text) == ["Es waren fünf Kilometer."])
        #expect(try said(CompleteText("Oli 5 km."), in: "fi").map(\.text) == ["Oli 5 km."])
        #expect(try said(CompleteText("It was $3.50."), verbalizers: nil).map(\.text) == ["It was $3.50."])
    }

    @Test("Replaced words keep their positions through all steps")
    func places() throws {
        let lexicon = try SpeechLexicon("km = 3 miles")
        let document = "A **b** costs 5 km or $2."
        let utterance = try #require(try said(CompleteText(document), lexicon).first)
        #expect(utterance.text == "A b costs five three miles or two dollars.")
        func source(_ words: String) throws -> String {
            let range = try #require(utterance.text.range(of: words))
            let start = utterance.text.utf8.distance(from: utterance.text.startIndex, to: range.lowerBound)
            let place = utterance.source.sourceRange(of: start..<start + words.utf8.count)
            return String(decoding: Array(document.utf8)[place], as: UTF8.self)
        }
        #expect(try source("b") == "b")
        #expect(try source("two dollars") == "$2")
        #expect(try source("or") == "or")
    }

    @Test("Purely decorative lines are dropped")
    func decoration() throws {
        #expect(try said(CompleteText("One.\n\n***\n\n!!! ---\n\nTwo.")).map(\.text) == ["One.", "Two."])
    }

    @Test("Text is interpreted in the way that the document requests")
    func readings() throws {
        func ssml(_ text: String) throws -> [String] {
            let script = try SpokenScript(Array("<speak>\(text)</speak>".utf8), as: .ssml)
            return try said(ScriptSource(script), in: "en-US").map(\.text)
        }
        #expect(
            try ssml("On <say-as interpret-as='date' format='mdy'>3/4/2024</say-as> we met.") == [
                "On March fourth, twenty twenty-four we met."
            ])
        #expect(
            try ssml("The <say-as interpret-as='ordinal'>3</say-as> of <say-as interpret-as='cardinal'>12</say-as>.")
                == [
                    "The third of twelve."
                ])
        #expect(try ssml("A <say-as interpret-as='date'>b. C d</say-as> e.") == ["A b. C d e."])
    }

    @Test("The spelled-out characters in a document and the phonemes in a text are unchanged")
    func untouched() throws {
        let spelled = "<speak><say-as interpret-as='characters'>#*</say-as></speak>"
        #expect(try said(ScriptSource(try SpokenScript(Array(spelled.utf8), as: .ssml))).map(\.text) == ["# *"])
        let preparation = TextPreparation(
            lexicon: try SpeechLexicon("gif = /dʒɪf/"), verbalizers: Self.verbalizers, keepsNotation: true)
        let utterance = Utterance(
            text: "A gif, [[5 *a*]].", source: SourceMap(offset: 0), pauseAfter: .sentence)
        #expect(preparation.prepare(utterance, in: "en") == utterance)
    }

    @Test("Text without words keeps all its marks")
    func marks() throws {
        let document = "<speak><mark name='a'/>One.<break/><mark name='b'/>-<mark name='c'/></speak>"
        let source = PreparedText(
            try ScriptSource(try SpokenScript(Array(document.utf8), as: .ssml)), in: "en",
            by: TextPreparation(lexicon: try SpeechLexicon("x = y"), verbalizers: Self.verbalizers))
        var names: [String] = []
        while let step = try source.next() {
            if case .mark(let name, _) = step { names.append(name) }
            names += step.utterance?.marks.map(\.name) ?? []
        }
        #expect(names == ["a", "b", "c"])
    }
}
