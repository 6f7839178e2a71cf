import Foundation
import SynthWhisper

// Transcribes audio for comparisons and measurements:
//
//     WhisperProbe FOLDER [--tokens] [--plain] [--beam N] [--timed] [--words] [--live] [--language L]
//         [--cache FOLDER] FILE…
//
// FOLDER contains encoder_model.onnx, decoder_model_merged.onnx, tokenizer.json and generation_config.json. A FILE contains mono
// samples at 16 kHz as float32. The output is one line of JSON per file. With --tokens, it contains the tokens of a
// single window, which --plain decodes only once; otherwise, it contains segments and words. --live passes the audio in
// small pieces and prints the partial texts.

struct Word: Encodable {
    var text: String
    var start: Double
    var end: Double
    var confidence: Double
}

struct Segment: Encodable {
    var text: String
    var start: Double
    var end: Double
    var confidence: Double
    var words: [Word]
}

struct Line: Encodable {
    var file: String
    var tokens: [Int] = []
    var mean = 0.0
    var segments: [Segment] = []
    var text = ""
    var processor = 0.0
    var wall = 0.0
    /// The time from the last sample to the complete text, in seconds.
    var last = 0.0
    var partials: [Partial] = []
}

struct Partial: Encodable {
    /// The amount of audio received so far, in seconds.
    var seconds: Double
    var stable: String
    var rest: String
}

func processorSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

var arguments = Array(CommandLine.arguments.dropFirst())
@MainActor func flag(_ name: String) -> Bool {
    guard let place = arguments.firstIndex(of: name) else { return false }
    arguments.remove(at: place)
    return true
}
@MainActor func value(_ name: String) -> String? {
    guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
    defer { arguments.removeSubrange(place...place + 1) }
    return arguments[place + 1]
}

let width = value("--beam").flatMap { Int($0) } ?? 1
let cache = value("--cache")
let (givesTokens, isTimed, wantsWords) = (flag("--tokens"), flag("--timed"), flag("--words"))
let (isPlain, isLive) = (flag("--plain"), flag("--live"))
let language = value("--language")
let phrases =
    value("--phrases").flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }?.split(separator: "\n")
    .map(String.init) ?? []
let bonus = (value("--bonus") ?? "1,2").split(separator: ",").compactMap { Double($0) }
let hinted = value("--hint")
guard !arguments.isEmpty else {
    print("usage: WhisperProbe FOLDER [--tokens] [--plain] [--beam N] [--timed] [--words] [--language L] FILE…")
    exit(64)
}
let folder = arguments.removeFirst()
let files = WhisperFiles(
    encoder: folder + "/encoder_model.onnx", decoder: folder + "/decoder_model_merged.onnx",
    tokenizer: folder + "/tokenizer.json", configuration: folder + "/generation_config.json")
let loading = (processorSeconds(), Date())
let transcriber = try WhisperTranscriber(files, threads: 2, cacheDirectory: cache)
FileHandle.standardError.write(
    Data(
        "loaded in \(Date().timeIntervalSince(loading.1)) s, processor \(processorSeconds() - loading.0) s\n".utf8))

for file in arguments {
    let data = try Data(contentsOf: URL(filePath: file))
    let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let begin = (processorSeconds(), Date())
    var line = Line(file: file)
    if givesTokens {
        (line.tokens, line.mean) = try transcriber.tokens(
            of: samples, width: width, isTimed: isTimed, isChecked: !isPlain)
    } else {
        var options = DecodingOptions()
        (options.width, options.isTimed, options.wantsWords) = (width, isTimed, wantsWords)
        options.language = language
        options.phrases = phrases
        options.phraseBonus = (bonus[0], bonus[1])
        options.hints = hinted == "all" ? phrases.joined(separator: ", ") : hinted
        options.wantsPartials = isLive
        var (place, ended) = (0, Date())
        let transcript = try transcriber.transcribe(
            read: { most in
                let piece = samples[place..<min(samples.count, place + min(isLive ? 1600 : .max, most))]
                (place, ended) = (piece.endIndex, Date())
                return Array(piece)
            }, options,
            report: { event in
                if case .partial(let text, let stable, _) = event {
                    let bytes = Array(text.utf8)
                    line.partials.append(
                        Partial(
                            seconds: Double(place) / 16_000, stable: String(decoding: bytes[..<stable], as: UTF8.self),
                            rest: String(decoding: bytes[stable...], as: UTF8.self)))
                }
                return true
            })
        line.last = Date().timeIntervalSince(ended)
        line.text = transcript.text
        line.segments = transcript.segments.map { segment in
            let bytes = Array(segment.text.utf8)
            return Segment(
                text: segment.text, start: segment.seconds.lowerBound, end: segment.seconds.upperBound,
                confidence: segment.confidence,
                words: segment.words.map {
                    Word(
                        text: String(decoding: bytes[$0.bytes], as: UTF8.self), start: $0.seconds.lowerBound,
                        end: $0.seconds.upperBound, confidence: $0.confidence)
                })
        }
    }
    (line.processor, line.wall) = (processorSeconds() - begin.0, Date().timeIntervalSince(begin.1))
    print(String(decoding: try JSONEncoder().encode(line), as: UTF8.self))
}
