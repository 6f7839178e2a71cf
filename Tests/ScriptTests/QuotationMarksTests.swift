import Foundation
import Testing

/// Messages use straight quotation marks, as do the commands in them. Curly quotation marks occur only as data, in
/// texts or in a symbol table.
@Suite("Quotation marks") struct QuotationMarksTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The files in which curly quotation marks are data, relative to the checkout.
    private static let data: Set<String> = [
        "Plugins/Shared/SynthEnglish/Text/WordGroup.swift", "Plugins/Shared/SynthPhonemes/Espeak/ClauseEnd.swift",
        "Plugins/Shared/SynthPhonemes/Mnemonics/MnemonicWriter.swift",
        "Plugins/Shared/SynthSymbols/Runs/ChunkPlan.swift", "Plugins/Shared/SynthSymbols/Runs/RunEdges.swift",
        "Plugins/Shared/SynthSymbols/Symbols/SymbolTable.swift",
        "Plugins/Shared/SynthSymbols/Text/TextWords.swift",
        "Sources/SynthBooks/Casting/Dialogue.swift", "Sources/SynthBooks/Casting/SpokenLines.swift",
        "Sources/synthhost-read/Markup/BlockReader.swift",
        "Sources/synthhost-read/Markup/Footnotes.swift", "Sources/synthhost-read/Markup/OpenBlock.swift",
        "Sources/synthhost-read/Markup/RaisedText.swift",
        "Sources/synthhost-read/PDF/PrintedParagraphs.swift",
        "Sources/synthhost-read/PDF/PrintedTexts.swift",
        "Sources/synthhost-read/Text/FrontMatterSearch.swift",
        "Sources/synthhost-read/Text/Ornament.swift", "Sources/synthhost-read/Text/PlainTextReader.swift",
        "Sources/synthhost-read/Text/TextDecoding.swift",
        "Sources/SynthListening/Transcripts/SubtitleUnit.swift",
        "Sources/SynthListening/Transcripts/TranscriptSentences.swift",
        "Sources/SynthSpeechDispatcher/Text/CharacterNames.swift",
        "Sources/SynthSpeech/Timings/CueText.swift", "Sources/SynthVerbalization/SpokenNumbers/SpokenNumber.swift",
        "Sources/SynthVerbalization/Markup/MarkupScanner+HTML.swift",
        "Sources/synthhost-check/Checks/SoundChecks.swift",
        "Sources/synthhost-check/Checks/TextChecks.swift",
        // German uses its own quotation marks.
        "Sources/synthhost-cli/Context/GermanPhrases.swift",
    ]

    @Test("All messages use straight quotation marks")
    func same() throws {
        var (found, used) = ([String](), Set<String>())
        for folder in ["Sources", "Plugins"] {
            let files = FileManager.default.enumerator(atPath: Self.root.appending(path: folder).path)
            for case let name as String in try #require(files) where name.hasSuffix(".swift") {
                let path = "\(folder)/\(name)"
                let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
                for (number, line) in zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)) {
                    // Comments may use any quotation marks.
                    let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
                    let isMessage = code.contains("“") || code.contains("”") || code.contains("u{201C}")
                    guard isMessage else { continue }
                    if Self.data.contains(path) {
                        used.insert(path)
                    } else {
                        found.append("\(path):\(number): \(line)")
                    }
                }
            }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
        #expect(used == Self.data, "Needless: \(Self.data.subtracting(used).sorted())")
    }
}
