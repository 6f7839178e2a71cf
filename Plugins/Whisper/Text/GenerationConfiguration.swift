import EngineKit
import SynthJSON

/// The decoding settings in `generation_config.json`. All of them are optional.
struct GenerationConfiguration: Sendable {
    /// Tokens that are never generated.
    var suppressed: [Int]
    /// Tokens that are never generated as the first token.
    var suppressedFirst: [Int]
    /// The decoder heads whose attention aligns tokens with the audio.
    var alignmentHeads: [(layer: Int, head: Int)]
    /// Whether the prompt contains tokens for language and task.
    var isMultilingual: Bool
    /// The highest timestamp that may start a window, in steps of 0.02 s.
    var latestFirstTime: Int

    private struct File: Decodable {
        var suppress_tokens: [Int]?
        var begin_suppress_tokens: [Int]?
        var alignment_heads: [[Int]]?
        var is_multilingual: Bool?
        var lang_to_id: [String: Int]?
        var max_initial_timestamp_index: Int?
    }

    /// The vocabulary size of English-only models, which is one less than the smallest multilingual vocabulary.
    private static let englishVocabulary = 51_864

    /// - Parameters:
    ///   - json: The file; `nil` if there is none.
    ///   - vocabulary: The number of tokens that the decoder scores, if its file declares it.
    init(json: [UInt8]?, _ table: TokenTable, vocabulary: Int?) throws {
        var file = File()
        if let json {
            do {
                file = try JSONReader.read(json, allowsRepeatedKeys: true, maximumValues: 1 << 16).decode(File.self)
            } catch let error as JSONSyntaxError {
                throw EngineError.configuration("is not JSON (line \(error.line): \(error.reason))")
            } catch {
                throw EngineError.configuration("has an unexpected structure")
            }
        }
        let lists = [file.suppress_tokens ?? [], file.begin_suppress_tokens ?? []]
        guard lists.allSatisfy({ $0.allSatisfy { $0 >= -1 } }) else {
            throw EngineError.configuration("has an invalid ID in a list of suppressed tokens")
        }
        suppressed = lists[0].filter { $0 >= 0 }
        let first = lists[1].filter { $0 >= 0 }
        suppressedFirst = first.isEmpty ? [table.space, table.end].compactMap(\.self) : first
        alignmentHeads = try (file.alignment_heads ?? []).map { pair in
            guard pair.count == 2, pair[0] >= 0, pair[1] >= 0 else {
                throw EngineError.configuration("has an alignment head that is not a [layer, head] pair")
            }
            return (pair[0], pair[1])
        }
        isMultilingual =
            !table.languages.isEmpty
            && (file.is_multilingual ?? file.lang_to_id.map { !$0.isEmpty } ?? (vocabulary != Self.englishVocabulary))
        latestFirstTime = min(max(file.max_initial_timestamp_index ?? 50, 0), TokenTable.lastTime)
    }
}

/// Converts between Whisper's language codes and BCP 47 tags.
enum WhisperLanguage {
    /// The codes that differ between Whisper and BCP 47, keyed by the BCP 47 code.
    private static let codes = [
        "cmn": "zh", "fil": "tl", "iw": "he", "in": "id", "ji": "yi", "jv": "jw", "mo": "ro", "nb": "no",
        "arb": "ar", "ekk": "et", "lvs": "lv", "pes": "fa", "swh": "sw", "zsm": "ms",
    ]

    /// Returns Whisper's code for a BCP 47 tag, such as `pt` for `pt-BR`.
    static func code(of tag: String) -> String {
        let language = String(tag.prefix { $0 != "-" && $0 != "_" }).lowercased()
        return codes[language] ?? language
    }

    /// Returns the BCP 47 tag for Whisper's code.
    static func tag(of code: String) -> String { code == "jw" ? "jv" : code }

    /// Whether the language is written without spaces between words.
    static func hasNoSpaces(_ code: String) -> Bool {
        ["zh", "ja", "th", "lo", "my", "yue", "km", "bo"].contains(code)
    }
}
