import Foundation
import SynthInference
import TestSupport
import TinyModels

/// A model with Silero VAD's inputs and outputs, whose results a test can compute in a few lines.
enum TinyDetector {
    /// Differences from Silero VAD that make a model unusable.
    enum Fault: CaseIterable {
        case noState, noRate, moreInputs, otherState, notANumber, manyProbabilities
    }

    static func write(_ fault: Fault? = nil, to folder: TemporaryFolder) throws -> String {
        var model = TinyModel()
        let input = model.input("input", .float32, rank: 2)
        let state = model.input(fault == .noState ? "h" : "state", .float32, rank: 3)
        let rate = model.input(fault == .noRate ? "rate" : "sr", .int64, rank: 0)
        if fault == .moreInputs { _ = model.input("c", .float32, rank: 3) }
        let (zero, first) = (model.constant([0 as Int64]), model.constant([64 as Int64]))
        let axis = model.constant([1 as Int64])
        func mean(_ input: String) -> String {
            model.add("ReduceMean", [model.add("Abs", [input])], ["axes": .integers([1])])
        }
        let before = mean(model.add("Slice", [input, zero, first, axis]))
        let whole = mean(input)
        let scale = model.add("Div", [model.add("Cast", [rate], ["to": .integer(1)]), model.constant([16_000], [])])
        let sum = model.add(
            "Add",
            [
                model.add("Mul", [before, model.constant([20 as Float], [])]),
                model.add("Mul", [whole, model.constant([40 as Float], [])]),
            ])
        let kept = model.add(
            "Reshape",
            [model.add("ReduceMean", [state], ["axes": .integers([0, 2])]), model.constant([1 as Int64, 1])])
        let heard = model.add("Mul", [sum, scale])
        var logit = model.add("Add", [heard, model.add("Mul", [kept, model.constant([2 as Float], [])])])
        logit = model.add("Add", [logit, model.constant([fault == .notANumber ? .nan : -3], [])])
        if fault == .manyProbabilities { logit = model.add("Concat", [logit, logit], ["axis": .integer(1)]) }
        model.output(model.add("Sigmoid", [logit], as: "output"))
        let next = model.add(
            "Add",
            [
                model.add("Mul", [state, model.constant([0.5 as Float], [])]),
                model.add("Reshape", [whole, model.constant([1 as Int64, 1, 1])]),
            ], as: fault == .otherState ? nil : "stateN")
        model.output(
            fault == .otherState ? model.add("Concat", [next, next], as: "stateN", ["axis": .integer(0)]) : next)
        return try folder.write(Data(model.bytes), to: "detector-\(fault.map { "\($0)" } ?? "whole").onnx")
    }

    /// Computes the model's probabilities in Swift.
    static func probabilities(of sound: [Float]) -> [Double] {
        var (kept, found) = (0.0, [Double]())
        for start in stride(from: 0, to: sound.count, by: 512) {
            func sample(_ place: Int) -> Double { sound.indices.contains(place) ? Double(abs(sound[place])) : 0 }
            let before = (start - 64..<start).map(sample).reduce(0, +) / 64
            let whole = (start - 64..<start + 512).map(sample).reduce(0, +) / 576
            found.append(1 / (1 + exp(-(20 * before + 40 * whole + 2 * kept - 3))))
            kept = 0.5 * kept + whole
        }
        return found
    }

    /// A tone between two silences. The lengths are in blocks of 512 samples; `more` is the number of additional silent
    /// samples.
    static func sound(quiet: Int, tone: Int, quiet after: Int, more: Int = 0) -> [Float] {
        let speech = (0..<tone * 512).map { 0.4 * Float(sin(Double($0) * 0.2)) }
        return [Float](repeating: 0, count: quiet * 512) + speech + [Float](repeating: 0, count: after * 512 + more)
    }
}
