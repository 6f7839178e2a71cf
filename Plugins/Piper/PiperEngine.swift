import CSynthEngine
public import EngineKit
import ONNXInference

/// Speaks the voices of the Piper project, as they are published: a model and its configuration.
struct PiperEngine: EnginePlugin {
    static var description: EngineDescription {
        EngineDescription(
            id: "piper", name: "Piper", version: "0.1.0",
            // That of libespeak-ng, which the engine links.
            licence: "GPL-3.0-or-later",
            capabilities: [.speaksPhonemes, .timesWords, .timesPhonemes, .streams, .varies],
            // Lanes share the weights, but each needs memory for the sentence that it computes.
            maximumLanes: 4,
            rates: 0.5...3,
            roles: [FileRole(PiperRole.model, scope: .model), FileRole(PiperRole.config, scope: .model)],
            variables: [ModelForm.switchName])
    }

    static func load(_ files: ModelFiles) throws -> PiperModel {
        try PiperModel(files)
    }
}

@c @implementation
public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
    PiperEngine.table(abi: abi, host: host)
}
