import Foundation
import SynthEnglish
import SynthKokoro
import SynthPhonemes
import SynthSymbols

// Prints the symbols with which Kokoro reads texts, for Scripts/measure/compare-words: KokoroProbe [LEXICON]
// <[{"language": "a", "text": …}] >[{"symbols": …, "words": [{"bytes": [start, end], "symbols": …}]}]

struct Line: Decodable {
    var language: String
    var text: String
}

struct Word: Encodable {
    var bytes: [Int]
    var symbols: String
}

struct Reading: Encodable {
    var symbols = ""
    var words: [Word] = []
}

func string(_ symbols: some Sequence<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(symbols))
}

let lexicon = try CommandLine.arguments.dropFirst().first.map { path in try PronunciationLexicon(path: path) }
let english = EnglishReaders()
let lines = try JSONDecoder().decode([Line].self, from: FileHandle.standardInput.readDataToEndOfFile())
let readings = try lines.map { line in
    var reading = Reading()
    guard let letter = line.language.first, let language = KokoroLanguage(rawValue: letter),
        let voice = language.espeakVoice
    else { return reading }
    var reader = try KokoroReader(
        line.text, language, voice: voice, lexicon: language.isEnglish ? lexicon : nil,
        english: try english.reader(for: language))
    while let sentence = try reader.next() {
        reading.symbols += string(sentence.symbols) + " "
        reading.words += sentence.words.map { word in
            Word(
                bytes: [word.bytes.lowerBound, word.bytes.upperBound], symbols: string(sentence.symbols[word.symbols]))
        }
    }
    return reading
}
print(String(decoding: try JSONEncoder().encode(readings), as: UTF8.self))
