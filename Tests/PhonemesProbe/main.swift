import Foundation
import SynthPhonemes
import SynthSymbols

// Prints the IDs that this project's reader generates from texts, for Scripts/measure/parity: PhonemesProbe CONFIGURATION
// <[{"voice": …, "text": …}] >[[[id]]]

struct Line: Decodable {
    var voice: String
    var text: String
}

struct Configuration: Decodable {
    var phoneme_id_map: [String: [Int64]]
}

let decoder = JSONDecoder()
let file = try Data(contentsOf: URL(filePath: CommandLine.arguments.last ?? ""))
let map = try PhonemeIDMap(decoder.decode(Configuration.self, from: file).phoneme_id_map)
let ids = try decoder.decode([Line].self, from: FileHandle.standardInput.readDataToEndOfFile()).map { line in
    try EspeakPhonemizer(voice: line.voice).sentences(of: line.text, readingInlinePhonemes: true)
        .map { map.ids(of: $0).ids }
}
print(String(decoding: try JSONEncoder().encode(ids), as: UTF8.self))
