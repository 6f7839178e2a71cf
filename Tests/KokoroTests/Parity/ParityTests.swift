import Foundation
import SynthPhonemes
import Testing
import TestSupport

@testable import SynthKokoro
@testable import SynthSymbols

/// Compares the reader with misaki, which generated the phonemes of the training data, using the same espeak-ng for both.
/// `EnglishTests` compares complete English texts.
@Suite(.espeakTurn) struct ParityTests {
    @Test(
        "Texts are read as misaki reads them, except for those listed with a reason",
        .enabled(if: !ParityGolden.texts.isEmpty, "This version of espeak-ng was not compared yet."),
        arguments: KokoroLanguage.allCases.filter { !$0.isEnglish && $0.espeakVoice != nil })
    func parity(language: KokoroLanguage) throws {
        let letter = String(language.rawValue)
        let goldens = ParityGolden.texts.filter { $0.language == letter }
        #expect(goldens.count >= 50)
        var equal = 0
        var byRule: [String: Int] = [:]
        var listed: [String: Int] = [:]
        for golden in goldens {
            let ours = try ReadingTests.sentences(golden.text, language)
                .map { String(String.UnicodeScalarView($0.symbols)) }.joined(separator: " ")
            let theirs = String(
                String.UnicodeScalarView(golden.symbols.unicodeScalars.filter { SymbolTable.ids[$0] != nil }))
            let isAlike = ParityRule.alike(ours, letter) == ParityRule.alike(theirs, letter)
            if let reason = ParityGolden.differences[golden.key] {
                #expect(!isAlike, "listed as different, but equal: \(golden.text)")
                listed[reason, default: 0] += 1
            } else if ours == theirs {
                equal += 1
            } else {
                #expect(isAlike, "\(golden.text)\n\(ours)\n\(theirs)")
                for rule in ParityRule.allCases
                where ParityRule.alike(ours, letter, without: rule) != ParityRule.alike(theirs, letter, without: rule) {
                    byRule[rule.rawValue, default: 0] += 1
                }
            }
        }
        report(language.name, goldens.count, equal, byRule, listed)
    }

    @Test(
        "The phonemes of every English word are converted to the same symbols as in misaki",
        .enabled(if: !ParityGolden.words.isEmpty, "This version of espeak-ng was not compared yet."),
        arguments: [KokoroLanguage.american, .british])
    func words(language: KokoroLanguage) throws {
        let voice = try #require(language.espeakVoice)
        let letter = String(language.rawValue)
        let goldens = ParityGolden.words.filter { $0.language == letter }
        #expect(goldens.count > 500)
        let phonemes = try Espeak.phonemes(ofWords: goldens.map(\.text), voice: voice, tied: true)
        var equal = 0
        var byRule: [String: Int] = [:]
        for (golden, phonemes) in zip(goldens, phonemes) {
            let symbols = SymbolMapping.symbols(Array(phonemes.unicodeScalars), language)
            let ours = String(String.UnicodeScalarView(symbols))
            if ours == golden.symbols {
                equal += 1
                continue
            }
            let rules = [ParityRule.british, .linkingR].filter { rule in
                rule.applied(to: ours, letter) == rule.applied(to: golden.symbols, letter)
            }
            #expect(!rules.isEmpty, "\(golden.text): \(ours) \(golden.symbols)")
            if let rule = rules.first { byRule[rule.rawValue, default: 0] += 1 }
        }
        report("\(language.name), single words", goldens.count, equal, byRule, [:])
    }

    /// Prints the counts for `Scripts/measure/parity`.
    private func report(
        _ language: String, _ count: Int, _ equal: Int, _ byRule: [String: Int], _ listed: [String: Int]
    ) {
        guard ProcessInfo.processInfo.environment["SYNTHHOST_PARITY"] != nil else { return }
        func list(_ counts: [String: Int]) -> String {
            counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
                .joined(separator: ", ")
        }
        let others = listed.values.reduce(0, +)
        print(
            "parity: \(language): \(equal) of \(count) equal, \(count - equal - others) by rule (\(list(byRule))), "
                + "\(others) otherwise (\(list(listed)))")
    }
}
