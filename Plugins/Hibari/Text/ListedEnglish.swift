import EngineKit
import SynthGraphs
import SynthJSON
import SynthSymbols

/// Reads words by one of misaki's lists, and spells the names of the letters of any other word.
struct ListedEnglish: EnglishSource {
    private static let sizeLimit = 64 << 20
    private static let mostValues = 1 << 20

    private var words: [String: String] = [:]

    /// Without a list, every word is spelled by letters that have no sound.
    init() {}

    init(path: String) throws(EngineError) {
        guard let json = WholeFile.content(of: path, most: Self.sizeLimit),
            case .object(let members)? = try? JSONReader.read(
                json, allowsRepeatedKeys: true, mostValues: Self.mostValues
            ).value
        else { throw EngineError(.badFile, "The lexicon is no list of words and phonemes.", role: HibariRole.lexicon) }
        words.reserveCapacity(members.count)
        for member in members {
            switch member.node.value {
            case .string(let phonemes): words[member.name] = phonemes
            case .object(let forms):
                let form = forms.first { $0.name == "DEFAULT" } ?? forms.first
                if case .string(let phonemes)? = form?.node.value { words[member.name] = phonemes }
            default: continue
            }
        }
    }

    func sentences(of text: String) -> [Range<Int>] { SentenceCuts.ranges(of: text) }

    func read(_ sentence: String) -> SpokenSentence {
        let utf8 = Array(sentence.utf8)
        var spoken = SpokenSentence(bytes: 0..<utf8.count)
        var position = 0
        func gap(_ end: Int) -> [Unicode.Scalar] {
            Array(String(decoding: utf8[position..<end], as: UTF8.self).unicodeScalars)
        }
        for place in TextWords.places(in: utf8, 0..<utf8.count) {
            let marks = Punctuation.symbols(
                of: gap(place.lowerBound), endsSentence: false, opens: position == 0, isEnglish: true)
            for symbol in marks { spoken.append(symbol) }
            spoken.append(word: symbols(of: String(decoding: utf8[place], as: UTF8.self)), from: place)
            position = place.upperBound
        }
        let marks = Punctuation.symbols(of: gap(utf8.count), endsSentence: true, closes: true, isEnglish: true)
        for symbol in marks { spoken.append(symbol) }
        spoken.removeTrailingSpace()
        return spoken
    }

    private func symbols(of word: String) -> [Unicode.Scalar] {
        let straight = word.replacing("’", with: "'")
        let found = find(straight) ?? straight.compactMap { find($0.uppercased()) }.joined(separator: " ")
        return found.unicodeScalars.map { $0 == "ɾ" ? "T" : $0 == "ʔ" ? "t" : $0 }
            .filter { SymbolTable.ids[$0] != nil }
    }

    private func find(_ word: String) -> String? {
        let small = word.lowercased()
        return words[word] ?? words[small] ?? words[small.prefix(1).uppercased() + small.dropFirst()]
    }
}
