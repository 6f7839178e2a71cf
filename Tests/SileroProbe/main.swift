import Foundation
import SynthSilero

// Detects speech for comparisons with other programs:
//
//     SileroProbe silero_vad.onnx FILE…
//
// A FILE contains mono samples at 16 kHz as float32. Prints one line of JSON per file: the probability for each block
// of 32 ms, the blocks at which speech starts and ends, and the CPU time.

struct Line: Encodable {
    var file: String
    var probabilities: [Float] = []
    var begins: [Int] = []
    var ends: [Int] = []
    var processor = 0.0
}

let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first else {
    print("usage: SileroProbe silero_vad.onnx FILE…")
    exit(64)
}
let model = try DetectorModel(path)
for file in arguments.dropFirst() {
    let data = try Data(contentsOf: URL(filePath: file))
    let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    var line = Line(file: file)
    var probability = SpeechProbability(model)
    var edges = SpeechEdges()
    func note(_ edge: SpeechEdges.Edge?) {
        switch edge {
        case .begins(let block)?: line.begins.append(block)
        case .ends(let block)?: line.ends.append(block)
        case nil: break
        }
    }
    let begin = clock()
    for start in stride(from: 0, to: samples.count, by: DetectorModel.block) {
        let next = try probability.next(Array(samples[start..<min(samples.count, start + DetectorModel.block)]))
        line.probabilities.append(next)
        note(edges.add(next))
    }
    note(edges.finish())
    line.processor = Double(clock() - begin) / Double(CLOCKS_PER_SEC)
    print(String(decoding: try JSONEncoder().encode(line), as: UTF8.self))
}
