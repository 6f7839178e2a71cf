import Foundation
import TestSupport
import TinyModels

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

/// A voice model that speaks IDs, with the same noise in each new session.
struct ExactModel: Sendable {
    /// The kind of voice, with the names of its inputs.
    private enum Kind {
        case piper(takesSpeaker: Bool)
        case kokoro(tokens: String)
    }

    /// The first of Kokoro's symbols to use. Most symbols before it are unused.
    private static let firstLetter: Int64 = 43

    let path: String
    let output: String
    private let kind: Kind
    /// The folder with the copy of the model file, whose noise nodes have seeds.
    private let folder: TemporaryFolder

    /// Opens a model file. Throws if its inputs do not match those of a voice.
    init(_ file: String) throws {
        folder = try TemporaryFolder()
        path = try Self.seed(file, in: folder)
        let session = try InferenceSession(model: path, threads: 1)
        let names = session.inputs.map(\.name)
        if names.contains("scales") {
            kind = .piper(takesSpeaker: names.contains("sid"))
        } else if let tokens = ["tokens", "input_ids"].first(where: names.contains) {
            kind = .kokoro(tokens: tokens)
        } else {
            throw InferenceError(.model, "\(file) is not a known kind of voice")
        }
        output =
            session.outputs.first { ["output", "audio", "waveform"].contains($0.name) }?.name ?? session.outputs[0].name
    }

    /// Opens a model that a test creates.
    init(_ model: TinyModel) throws {
        folder = try TemporaryFolder()
        path = try folder.write(Data(model.bytes), to: "model.onnx")
        kind = .piper(takesSpeaker: false)
        output = "output"
    }

    /// Pseudorandom texts. The first has one word, and the last has two hundred or as many as the model accepts. A word
    /// has six IDs.
    func texts(_ count: Int, seed: UInt64 = 7) -> [[Int64]] {
        let mostIDs = if case .kokoro = kind { 500 } else { Int.max }
        return TinyVoice.texts(count, seed: seed).map { Array($0.prefix(mostIDs)) }
    }

    var rewriteKind: RewriteKind {
        switch kind {
        case .piper: .vits
        case .kokoro: .styled
        }
    }

    func inputs(_ ids: [Int64]) -> [(name: String, tensor: InferenceTensor)] {
        switch kind {
        case .piper(let takesSpeaker):
            return TestVoice.inputs(ids) + (takesSpeaker ? [("sid", InferenceTensor([Int64(1)], shape: [1]))] : [])
        case .kokoro(let tokens):
            let padded = [0] + ids.map { $0 + Self.firstLetter } + [0]
            return [
                (tokens, InferenceTensor(padded, shape: [1, Int64(padded.count)])),
                ("style", InferenceTensor(TestVoice.style, shape: [1, 256])),
                ("speed", InferenceTensor([Float(1)], shape: [1])),
            ]
        }
    }

    func speak(_ session: InferenceSession, _ ids: [Int64]) throws -> [Float] {
        let outputs = try session.run(inputs(ids), outputs: [output], as: try InferenceRun())
        return outputs[0].withFloats { Array($0) } ?? []
    }

    /// Copies the file and seeds each noise node, so that the n-th run has the same noise in all sessions.
    private static func seed(_ file: String, in folder: TemporaryFolder) throws -> String {
        let memory = try MappedFile(file)
        var graph = try ModelGraph(memory.bytes)
        for index in graph.nodes.indices where graph.nodes[index].operation.hasPrefix("Random") {
            graph.nodes[index].attributes.removeAll { $0.name == "seed" }
            graph.nodes[index].attributes.append(GraphAttribute("seed", .float(Float(index))))
        }
        return try folder.write(try graph.bytes(), to: "model.onnx")
    }
}
