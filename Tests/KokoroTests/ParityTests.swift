import Foundation
import Phonemes
import TestSupport
import Testing

@testable import Kokoro

/// Holds the reader against misaki, the reader of the training, both on the same espeak-ng.
///
/// The texts and what misaki makes of them are kept for each version of espeak-ng, because phonemes differ from version
/// to version. `Scripts/parity` writes them.
@Suite(.espeakTurn) struct ParityTests {
    private struct Golden: Decodable {
        var language: String
        var text: String
        var symbols: String
    }

    private static let goldens: [Golden] = {
        let version = Espeak.version.prefix { $0.isNumber || $0 == "." }
        let path = Fixtures.kokoro("espeak-ng-\(version).json")
        guard let data = FileManager.default.contents(atPath: path) else { return [] }
        return (try? JSONDecoder().decode([Golden].self, from: data)) ?? []
    }()

    /// Where this reader differs on purpose, both sides are made alike:
    ///
    /// * spaces: espeak-ng runs small words together (“of the”); misaki's English reads word by word, so here they stand
    ///   apart;
    /// * `ɐ`: misaki's own list has it for “a” and “an”; its rules for espeak-ng turn it into `ə`;
    /// * `ˌI`: misaki's own list has the stress;
    /// * main or lesser stress: misaki's own list has a main stress for “over” and “between”, espeak-ng a lesser one;
    /// * straight quotation marks: misaki's English makes them curly before espeak-ng is asked;
    /// * `əɹɹ`, `T` before a space: what espeak-ng does between words, which misaki's English never sees;
    /// * British `eə` and `iə`: misaki's rules miss them because of the tie; its list of phonemes has `ɛː` and `ɪə`;
    /// * a stop for Hindi's danda, which misaki does not know as punctuation.
    private static func alike(_ symbols: String, _ language: String) -> String {
        var symbols = " \(symbols)".replacing(" ˌI ", with: " I ").replacing("T ", with: "t ")
            .replacing(" ", with: "").replacing("ɐ", with: "ə")
        if language == "a" || language == "b" {
            symbols = symbols.replacing("ˌ", with: "ˈ")
            while symbols.contains("ɹɹ") { symbols = symbols.replacing("ɹɹ", with: "ɹ") }
            symbols = symbols.filter { !"\"“”".contains($0) }
        }
        if language == "b" { symbols = symbols.replacing("Aə", with: "ɛː").replacing("iə", with: "ɪə") }
        if language == "h", symbols.last == "." { symbols.removeLast() }
        return symbols
    }

    /// misaki splits a text at every mark, also within a number, and reads what stands before a bracket or a quotation
    /// mark as if the clause ended there.
    private static func isReadOtherwise(_ text: String) -> Bool {
        text.contains("1,000") || text.contains("3.5") || text.contains("one)") || text.contains("trop»")
    }

    @Test(
        "texts are read as the training reads them",
        .enabled(if: !goldens.isEmpty, "this version of espeak-ng was not compared yet"),
        arguments: KokoroLanguage.allCases)
    func parity(language: KokoroLanguage) throws {
        guard language.espeakVoice != nil else { return }
        let letter = String(language.rawValue)
        let goldens = Self.goldens.filter { $0.language == letter }
        #expect(goldens.count >= 50)
        for golden in goldens where !Self.isReadOtherwise(golden.text) {
            let ours = try ReadingTests.sentences(golden.text, language).flatMap(\.symbols)
            let theirs = golden.symbols.unicodeScalars.filter { Vocabulary.ids[$0] != nil }
            #expect(
                Self.alike(String(String.UnicodeScalarView(ours)), letter)
                    == Self.alike(String(String.UnicodeScalarView(theirs)), letter), "\(golden.text)")
        }
    }
}
