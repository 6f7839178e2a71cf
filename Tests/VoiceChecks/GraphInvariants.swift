import EngineKit
import Foundation
import SynthHibari

/// Invariants for every graph that is loaded as a small voice: it either speaks or causes an error that names the
/// file's role.
package enum GraphInvariants {
    /// A voice with few channels, written by `SmallVoice` in the tests.
    private static let whole: [UInt8] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/Voices/af_small.onnx")
        return (try? Data(contentsOf: path)).map(Array.init) ?? []
    }()

    /// The offsets of names and shapes. The weights make up most of the file but have little effect.
    private static let places = whole.indices.filter { $0 < 4000 || whole[$0] > 64 && whole[$0] < 123 }

    private static let symbols: [Int32] = [0, 50, 83, 54, 156, 57, 16, 0]
    /// The number of 12.5 ms frames.
    private static let frames = 32

    static func violations(in input: [UInt8]) -> [String] {
        guard !places.isEmpty else { return ["the test voice is missing"] }
        return violations(of: Edits.applied(input, to: whole, places: places))
    }

    /// - Parameter graph: A complete file.
    package static func violations(of graph: [UInt8]) -> [String] {
        let path = FileManager.default.temporaryDirectory.appending(path: "graph-\(UUID().uuidString).onnx").path
        guard FileManager.default.createFile(atPath: path, contents: Data(graph)) else {
            return ["cannot write \(path)"]
        }
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            let run = try HibariRun(HibariWeights(path: path))
            _ = try run.begin(symbols, seed: 1, pitch: 1)
            var samples: [Float] = []
            while samples.count < frames * 300, try run.next(frames: 16, into: &samples) {}
            return samples.allSatisfy(\.isFinite) ? [] : ["a sample is not finite"]
        } catch let error as EngineError {
            return error.role == "model" && error.status == .badFile || error.status == .outOfMemory
                ? [] : ["graph: \(error.message)"]
        } catch {
            return ["graph: \(error)"]
        }
    }
}
