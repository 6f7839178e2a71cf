import EngineKit
import SynthJSON

/// What `generation_config.json` says about decoding. Everything in it may be missing.
struct GenerationConfiguration: Sendable {
    /// Never given.
    var suppressed: [Int]
    /// Never given first.
    var suppressedFirst: [Int]
    /// Heads of the decoder that look where a token was said.
    var alignmentHeads: [(layer: Int, head: Int)]
    /// Whether the prompt names language and task.
    var isMultilingual: Bool
    /// The largest time with which a window may begin, in steps of 0.02 s.
    var latestFirstTime: Int

    private struct File: Decodable {
        var suppress_tokens: [Int]?
        var begin_suppress_tokens: [Int]?
        var alignment_heads: [[Int]]?
        var is_multilingual: Bool?
        var lang_to_id: [String: Int]?
        var max_initial_timestamp_index: Int?
    }

    /// English-only models have one token less than the smallest multilingual ones.
    private static let englishVocabulary = 51_864

    /// - Parameters:
    ///   - json: The file; `nil` if there is none.
    ///   - vocabulary: How many tokens the decoder declares to score, if it does.
    init(json: [UInt8]?, _ table: TokenTable, vocabulary: Int?) throws {
        var file = File()
        if let json {
            do {
                file = try JSONReader.read(json, allowsRepeatedKeys: true, mostValues: 1 << 16).decode(File.self)
            } catch let error as JSONSyntaxError {
                throw EngineError.configuration("is no JSON (line \(error.line): \(error.reason))")
            } catch {
                throw EngineError.configuration("has something unexpected in it")
            }
        }
        let lists = [file.suppress_tokens ?? [], file.begin_suppress_tokens ?? []]
        guard lists.allSatisfy({ $0.allSatisfy { $0 >= -1 } }) else {
            throw EngineError.configuration("suppresses tokens that cannot be")
        }
        suppressed = lists[0].filter { $0 >= 0 }
        let first = lists[1].filter { $0 >= 0 }
        suppressedFirst = first.isEmpty ? [table.space, table.end].compactMap(\.self) : first
        alignmentHeads = try (file.alignment_heads ?? []).map { pair in
            guard pair.count == 2, pair[0] >= 0, pair[1] >= 0 else {
                throw EngineError.configuration("has an alignment head that is no layer and head")
            }
            return (pair[0], pair[1])
        }
        isMultilingual =
            !table.languages.isEmpty
            && (file.is_multilingual ?? file.lang_to_id.map { !$0.isEmpty } ?? (vocabulary != Self.englishVocabulary))
        latestFirstTime = min(max(file.max_initial_timestamp_index ?? 50, 0), TokenTable.lastTime)
    }
}

/// Languages as Whisper's tokens name them and as BCP-47 does.
enum WhisperLanguage {
    /// Where they differ: Whisper's codes by those of BCP-47.
    private static let codes = [
        "cmn": "zh", "fil": "tl", "iw": "he", "in": "id", "ji": "yi", "jv": "jw", "mo": "ro", "nb": "no",
        "arb": "ar", "ekk": "et", "lvs": "lv", "pes": "fa", "swh": "sw", "zsm": "ms",
    ]

    /// The code of a tag: of `pt-BR`, `pt`.
    static func code(of tag: String) -> String {
        let language = String(tag.prefix { $0 != "-" && $0 != "_" }).lowercased()
        return codes[language] ?? language
    }

    /// The tag of a code.
    static func tag(of code: String) -> String { code == "jw" ? "jv" : code }

    /// Those that are written without spaces between words.
    static func hasNoSpaces(_ code: String) -> Bool {
        ["zh", "ja", "th", "lo", "my", "yue", "km", "bo"].contains(code)
    }
}
