import EngineKit
import Foundation

import SynthGraphRewriting
import SynthGraphs
@testable import SynthKokoro
@testable import SynthParakeet
@testable import SynthWhisper

/// The rules for the files of neural voices and recognizers.
enum ModelChecks {
    /// Style vectors of voices: raw, as a NumPy array, or in an archive of NumPy arrays.
    static func violations(inStyles bytes: [UInt8]) -> [String] {
        ScratchFile.with(bytes) { path in
            var found: [String] = []
            let contents = StyleFile.Contents(names: ["a", "b"], rowCount: 1)
            for voice in ["a", "tern"] {
                guard let table = try? StyleFile.table(at: path, voice: voice, contents: contents) else { continue }
                if !(1...1024).contains(table.rowCount) { found.append("\(table.rowCount) rows") }
                for count in [-1, 0, 511, 1 << 20] where table.row(forTokens: count).count != StyleTable.width {
                    found.append("a row of \(table.row(forTokens: count).count) numbers")
                }
            }
            return found
        }
    }

    /// A written graph can be read and written again without changes. Every rewrite either describes its changes or throws an error.
    static func violations(inGraph bytes: [UInt8]) -> [String] {
        bytes.withUnsafeBytes { memory in
            do {
                let graph = try ModelGraph(memory)
                let written = try graph.bytes()
                // Names of external files and lists of numbers are written in a different encoding, which may be
                // longer.
                if written.count > 2 * bytes.count + 256 { return ["\(written.count) bytes for \(bytes.count)"] }
                let again = try written.withUnsafeBytes { try ModelGraph($0).bytes() }
                return (again == written ? [] : ["the graph has two encodings"]) + rewritten(graph)
            } catch is InferenceError {
                return []
            } catch {
                return ["an unexpected error: \(error)"]
            }
        }
    }

    private static func rewritten(_ graph: ModelGraph) -> [String] {
        var found: [String] = []
        for kind in [RewriteKind.vits, .styled] {
            for hasIntegers in [true, false] {
                for form in RewriteForm.forms(kind, hasIntegers: hasIntegers, blockSize: { 16 }) {
                    for rewrite in [form.rewriteMiddle, form.rewrite].compactMap(\.self) {
                        var editor = GraphEditor(graph, weights: UnsafeRawBufferPointer(start: nil, count: 0))
                        do {
                            if try rewrite(&editor).isEmpty { found.append("a change without a description") }
                        } catch is InferenceError {
                        } catch {
                            found.append("an unexpected error: \(error)")
                        }
                    }
                }
            }
        }
        return found
    }

    /// Token tables, configurations and word lists. The first byte selects the kind of file.
    static func violations(inTokens input: [UInt8]) -> [String] {
        let bytes = Array(input.dropFirst())
        let text = " " + String(decoding: bytes.prefix(200), as: UTF8.self)
        var found: [String] = []
        do {
            switch input.first {
            case UInt8(ascii: "w"):
                let table = try SynthWhisper.TokenTable(json: bytes)
                if table.largest < 0 { found.append("the largest token is \(table.largest)") }
                _ = table.text(0...table.end)
                _ = try? GenerationConfiguration(json: bytes, table, vocabulary: nil)
                _ = (table.seconds(table.zero), table.isText(0), table.isTime(-1), table.id(Array(text.utf8)))
            case UInt8(ascii: "p"):
                let table = try SynthParakeet.TokenVocabulary(bytes)
                for token in table.tokens(of: text) ?? [] where !(0..<table.count).contains(token) {
                    found.append("token \(token) is out of range: there are \(table.count)")
                }
                if !(0..<table.count).contains(table.blank) { found.append("the blank \(table.blank) is out of range") }
            case UInt8(ascii: "l"):
                let words = try ScratchFile.with(bytes) { try PronunciationLexicon(path: $0) }
                for word in text.split(whereSeparator: { !$0.isLetter }).prefix(20) {
                    _ = words.symbols(of: String(word), spoken: [], .american, isFollowed: true)
                    _ = words.changes(String(word), nil, .british)
                }
            default: break
            }
        } catch is EngineError {
        } catch {
            found.append("an unexpected error: \(error)")
        }
        return found
    }
}
