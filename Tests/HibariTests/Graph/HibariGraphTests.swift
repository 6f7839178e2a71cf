import EngineKit
import Foundation
import Testing
import TestSupport

@testable import SynthHibari

@Suite("Reading the graph of a small voice") struct HibariGraphTests {
    private func load(_ bytes: [UInt8]) throws -> HibariWeights {
        let folder = try TemporaryFolder()
        return try HibariWeights(path: try folder.write(bytes, to: "voice.onnx"))
    }

    /// The error message; `nil` if the graph can be read.
    private func problem(_ bytes: [UInt8]) -> String? {
        do {
            _ = try load(bytes)
            return nil
        } catch let error as EngineError {
            #expect(error.status == .badFile && error.role == "model", "\(error)")
            return error.message
        } catch {
            return "another error: \(error)"
        }
    }

    @Test("The fixture is identical to the file used by tests in other modules")
    func fixture() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/Voices/af_small.onnx")
        #expect(try Data(contentsOf: path) == Data(SmallVoice().bytes))
    }

    @Test("Graphs can be read whatever their tensors are named and whether quantized per tensor or per output channel")
    func read() throws {
        for isAnonymous in [false, true] {
            for hasScales in [false, true] {
                let voice = SmallVoice(hasScaleOfEachOutput: hasScales, isAnonymous: isAnonymous)
                #expect(try load(voice.bytes).vocabulary == 178)
            }
        }
        #expect(try load(SmallVoice(width: 32, blocks: 5).bytes).vocabulary == 178)
    }

    @Test(
        "A graph whose structure differs from that of its family is rejected",
        arguments: [
            (SmallVoice.Fault.cycle, "is not a hibari voice"), (.notANumber, "not finite or too large"),
            (.hugeTensor, "not have as many elements as its shape requires"), (.zeroPoint, "zero point other than 0"),
            (.otherNorm, "norm"), (.stride, "unexpected padding or strides"), (.withoutExpansion, "2 Conv nodes"),
            (.otherActivation, "not GELU"),
        ])
    func faults(fault: SmallVoice.Fault, says: String) {
        let message = problem(SmallVoice(fault: fault).bytes)
        #expect(message?.hasPrefix("The model ") == true && message?.contains(says) == true, "\(message ?? "read")")
    }

    @Test(
        "A graph from another family is rejected, and the error names the family",
        arguments: [
            (["ids", "speed"], ["audio"], "Paradee"),
            (["ids", "speed"], ["mel", "durations", "f0"], "Teacher in the Loop"),
            (["ids", "style", "speed"], ["audio"], "Kokoro"),
            (["input", "input_lengths", "scales"], ["output"], "Piper"),
            (["ids", "speed"], ["lh", "theta", "ln"], "not a hibari voice"),
        ])
    func families(inputs: [String], outputs: [String], says: String) {
        let message = problem(SmallVoice(inputs: inputs, outputs: outputs).bytes)
        #expect(message?.contains(says) == true, "\(message ?? "read")")
    }

    @Test("An empty, truncated or invalid file is rejected")
    func cutOff() throws {
        let whole = SmallVoice().bytes
        #expect(problem([])?.contains("empty") == true)
        for part in stride(from: 1, to: whole.count, by: whole.count / 97) {
            #expect(problem(Array(whole[..<part])) != nil, "\(part) bytes")
        }
        #expect(problem(Array("<html>".utf8)) != nil)
        #expect(problem([UInt8](repeating: 0, count: 4096)) != nil)
    }

    @Test("A damaged file yields either a voice or an error that names the file")
    func damaged() throws {
        let whole = SmallVoice(blocks: 1).bytes
        var state: UInt64 = 7
        func chance(_ most: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % most
        }
        // Weights make up most of the file. At the other positions are names and shapes, where damage has more varied
        // effects.
        let said = whole.indices.filter { $0 < 4000 || whole[$0] > 64 && whole[$0] < 123 }
        for _ in 0..<LongForm.choose(400, long: 20_000) {
            var bytes = whole
            for _ in 0...chance(3) { bytes[said[chance(said.count)]] = UInt8(chance(256)) }
            if let message = problem(bytes) { #expect(message.hasPrefix("The model "), "\(message)") }
        }
    }

    @Test("A vocabulary that is smaller than Kokoro's is supported")
    func symbols() throws {
        let small = try load(SmallVoice(vocabulary: 100).bytes)
        #expect(small.vocabulary <= SymbolSet.largest)
    }
}
