import EngineKit
import Foundation
import SynthParakeet

// Transcribes audio for comparisons and measurements:
//
//     ParakeetProbe FOLDER [--suffix .int8] [--cache FOLDER] [--text] FILE…
//
// FOLDER contains files in the layout of onnx-asr or sherpa-onnx. A FILE contains mono samples at 16 kHz as float32.
// Prints one line of JSON per file. The line contains all texts if --text is given; otherwise, it contains the tokens
// of a single window with their frames.

struct Line: Encodable {
    var file: String
    var tokens: [Int] = []
    var frames: [Int] = []
    var probabilities: [Double] = []
    var texts: [String] = []
    var processor = 0.0
}

var arguments = Array(CommandLine.arguments.dropFirst())
@MainActor func value(_ name: String) -> String? {
    guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
    defer { arguments.removeSubrange(place...place + 1) }
    return arguments[place + 1]
}

let (suffix, cache) = (value("--suffix") ?? "", value("--cache"))
let givesText = arguments.contains("--text")
arguments.removeAll { $0 == "--text" }
guard !arguments.isEmpty else {
    print("usage: ParakeetProbe FOLDER [--suffix .int8] [--cache FOLDER] [--text] FILE…")
    exit(64)
}
let folder = arguments.removeFirst()
func file(_ name: String) -> String? {
    let path = "\(folder)/\(name)"
    return FileManager.default.fileExists(atPath: path) ? path : nil
}
// If a folder has files in both layouts, onnx-asr's are used.
let joiner = file("encoder-model\(suffix).onnx") == nil ? file("joiner\(suffix).onnx") : nil
let transcriber = try ParakeetTranscriber(
    ParakeetFiles(
        encoder: "\(folder)/" + (joiner == nil ? "encoder-model" : "encoder") + "\(suffix).onnx",
        decoder: "\(folder)/" + (joiner == nil ? "decoder_joint-model" : "decoder") + "\(suffix).onnx", joiner: joiner,
        tokens: file("vocab.txt") ?? "\(folder)/tokens.txt", configuration: file("config.json")),
    threads: 2, cacheDirectory: cache)
for file in arguments {
    let data = try Data(contentsOf: URL(filePath: file))
    let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    var line = Line(file: file)
    let begin = clock()
    if givesText {
        line.texts = try transcriber.texts(of: samples).map(\.text)
    } else {
        let found = try transcriber.tokens(of: samples)
        (line.tokens, line.frames) = (found.map(\.token), found.map(\.frame))
        line.probabilities = found.map(\.probability)
    }
    line.processor = Double(clock() - begin) / Double(CLOCKS_PER_SEC)
    print(String(decoding: try JSONEncoder().encode(line), as: UTF8.self))
}
