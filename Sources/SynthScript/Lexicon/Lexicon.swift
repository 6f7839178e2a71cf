package import SynthSystem

/// A user's custom pronunciations. Each entry applies to all languages or to a single one.
///
///     # A comment must be on its own line.
///     gif = jif
///     en: gif = /dʒˈɪf/
///     Dr. Who = Doctor Who
///     C# = C sharp
///
/// The file is UTF-8, with one entry per line: one or more words, `=`, and the replacement, which is either text or IPA
/// between slashes. An entry may begin with a language (a BCP 47 tag, a colon and a space). A `#` after the start of a
/// line is part of the entry. The words and the replacement may each have up to 256 characters. If a word has several
/// entries for the same language, the last one wins.
///
/// Only whole words are matched. An apostrophe is part of its word, and straight and curly apostrophes are equivalent.
/// Words may be separated by any white space. An entry in lowercase is case-insensitive. An entry that contains
/// capitals is case-sensitive and takes precedence over case-insensitive ones. The longest matching entry wins; among
/// entries of equal length, the one with the most specific language wins (an entry for `en` also applies to `en-GB`).
package struct Lexicon: Sendable {
    private struct Step: Hashable {
        let node: Int
        let isAfterSpace: Bool
        let word: String
    }

    private struct Ending: Sendable {
        let language: String?
        /// The required spelling, or nil if the entry is case-insensitive.
        let exact: [String]?
        let sound: TextEdit.Replacement
    }

    /// The maximum file size in bytes.
    private static let longest = 16 << 20

    /// A trie of tokens, which makes lookup time independent of the number of entries.
    private var steps: [Step: Int] = [:]
    private var endings: [[Ending]] = [[]]

    package init() {}

    package var isEmpty: Bool { endings.count == 1 }

    /// Adds the entries of a file, which override earlier entries for the same words.
    ///
    /// - Parameters:
    ///   - document: UTF-8, up to 16 MiB.
    ///   - file: the file's path, for error messages.
    /// - Throws: `lexiconInvalid`, with the line number if a line is invalid, or without one if the document is too
    ///   long. Entries before the invalid line are kept.
    package mutating func add(_ document: Span<UInt8>, of file: String = "") throws(SpeechError) {
        guard document.count <= Self.longest else { throw .lexiconTooLong(file, limit: Self.longest) }
        var validator = UTF8Validator()
        do {
            try validator.validate(document)
            try validator.finish()
        } catch {
            throw LexiconLine(file: file, line: ScriptPosition(of: validator.offset, in: document).line).error(
                "is not UTF-8")
        }
        var start = document.count >= 3 && document[0] == 0xEF && document[1] == 0xBB && document[2] == 0xBF ? 3 : 0
        var number = 1
        while start < document.count {
            var end = start
            while end < document.count, document[end] != 0x0A { end += 1 }
            try add(line: start..<end, LexiconLine(file: file, line: number), of: document)
            start = end + 1
            number += 1
        }
    }

    /// Returns the replacements for the text, sorted by position. Runs in linear time.
    ///
    /// - Parameter language: a BCP 47 tag, or nil to use only the entries that apply to all languages.
    package func edits(of text: String, in language: String?) -> [TextEdit] {
        guard !isEmpty else { return [] }
        let language = language.flatMap { LexiconEntry.language($0) }
        let tokens = LexiconToken.tokens(of: text)
        var found: [TextEdit] = []
        var index = 0
        while index < tokens.count {
            guard let (sound, count) = longest(in: tokens[index...], language) else {
                index += 1
                continue
            }
            let range = tokens[index].range.lowerBound..<tokens[index + count - 1].range.upperBound
            found.append(TextEdit(range: range, replacement: sound))
            index += count
        }
        return found
    }

    private func longest(
        in tokens: ArraySlice<LexiconToken>, _ language: String?
    ) -> (sound: TextEdit.Replacement, count: Int)? {
        var node = 0
        var best: (sound: TextEdit.Replacement, count: Int)?
        for (index, token) in zip(tokens.indices, tokens) {
            let isAfterSpace = index > tokens.startIndex && token.isAfterSpace
            guard let next = steps[Step(node: node, isAfterSpace: isAfterSpace, word: token.folded)] else { break }
            node = next
            if !endings[node].isEmpty, let sound = sound(at: node, for: tokens[...index], language) {
                best = (sound, index + 1 - tokens.startIndex)
            }
        }
        return best
    }

    private func sound(
        at node: Int, for tokens: ArraySlice<LexiconToken>, _ language: String?
    ) -> TextEdit.Replacement? {
        func rank(_ ending: Ending) -> Int {
            (ending.exact == nil ? 0 : 1_000) + (ending.language?.utf8.count ?? -1)
        }
        var best: Ending?
        for ending in endings[node] {
            if let wanted = ending.language {
                guard let language, language == wanted || language.hasPrefix(wanted + "-") else { continue }
            }
            if let exact = ending.exact {
                guard exact.elementsEqual(tokens.lazy.map(\.text)) else { continue }
            }
            if best.map({ rank($0) <= rank(ending) }) ?? true { best = ending }
        }
        return best?.sound
    }

    private mutating func add(
        line: Range<Int>, _ location: LexiconLine, of document: Span<UInt8>
    ) throws(SpeechError) {
        var first = line.lowerBound
        var end = line.upperBound
        while end > first, document[end - 1] == 0x0D || document[end - 1] == 0x20 || document[end - 1] == 0x09 {
            end -= 1
        }
        while first < end, document[first] == 0x20 || document[first] == 0x09 { first += 1 }
        guard first < end, document[first] != UInt8(ascii: "#") else { return }
        add(try LexiconEntry(UTF8Cursor.string(first..<end, of: document), at: location))
    }

    private mutating func add(_ entry: LexiconEntry) {
        var node = 0
        for (index, token) in entry.tokens.enumerated() {
            let step = Step(node: node, isAfterSpace: index > 0 && token.isAfterSpace, word: token.folded)
            if let next = steps[step] {
                node = next
            } else {
                node = endings.count
                steps[step] = node
                endings.append([])
            }
        }
        let ending = Ending(
            language: entry.language, exact: entry.isExact ? entry.tokens.map(\.text) : nil, sound: entry.sound)
        endings[node].removeAll { $0.language == ending.language && $0.exact == ending.exact }
        endings[node].append(ending)
    }
}
