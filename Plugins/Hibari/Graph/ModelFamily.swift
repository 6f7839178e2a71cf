import EngineKit
import SynthGraphs

/// Identifies a model's family by its inputs and outputs.
///
/// Several families of small voices were distilled from Kokoro. They accept the same symbols but have different outputs.
enum ModelFamily {
    static let symbols = "ids"
    static let speed = "speed"
    static let pitch = "f0"
    /// The outputs for the five components of a spectral frame: harmonics, harmonic phase, noise, residual, residual phase.
    static let spectrum = ["lh", "theta", "ln", "lr", "phi"]

    /// - Throws: An error if the model belongs to a different family. The error names that family if it can be
    ///   identified from the inputs and outputs.
    static func check(_ graph: ModelGraph, _ walk: GraphWalk) throws {
        let inputs = Set(graph.inputs.map(\.name).filter { walk.initializer($0) == nil })
        let outputs = Set(graph.outputs.map(\.name))
        if inputs.isSuperset(of: [symbols, speed]), outputs.isSuperset(of: spectrum + [pitch]) { return }
        guard !inputs.isEmpty, !outputs.isEmpty else { throw HibariFailure.model("has no inputs or no outputs") }
        if inputs.contains("input_lengths") {
            throw HibariFailure.model("is a Piper voice, which the Hibari engine cannot speak")
        }
        if inputs.contains("style") {
            throw HibariFailure.model("is a Kokoro voice, which the Hibari engine cannot speak")
        }
        let list = outputs.sorted().prefix(6).map { "\"\($0)\"" }.joined(separator: ", ")
        if outputs.contains(where: { $0.lowercased().contains("mel") }) {
            throw HibariFailure.model(
                "returns a mel spectrogram (\(list)). It is probably a Teacher in the Loop model; the Hibari engine needs models that "
                    + "return the components of a spectrum")
        }
        if outputs.count <= 2 {
            throw HibariFailure.model(
                "returns samples (\(list)). It is probably a Paradee model; the Hibari engine needs models that return "
                    + "the components of a spectrum")
        }
        throw HibariFailure.model("is not a hibari voice: it returns \(list) instead of the components of a spectrum")
    }
}

/// The roles of a voice's files.
enum HibariRole {
    static let model = "model"
}

/// Error messages for the user who downloaded the voice.
enum HibariFailure {
    /// - Parameter what: The part of the message that follows "The model", without the final period.
    static func model(_ what: String) -> EngineError {
        EngineError(.badFile, "The model \(what).", role: HibariRole.model)
    }

    /// The engine could not speak the sentence, although the request is valid.
    static func run(_ message: String) -> EngineError {
        EngineError(.failed, "The voice could not speak: \(message)")
    }
}
