import CSynthEngine
public import EngineKit

@c @implementation
public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
    @TYPE@.table(abi: abi, host: host)
}

/// Runs models with the input `input_ids` (int64 [1, N]) and the output `waveform` (float32 [T]).
enum @TYPE@: EnginePlugin {
    static let description = EngineDescription(
        id: "@ID@", name: "@NAME@", version: "0.1", license: "Apache-2.0",
        roles: [FileRole("model", scope: .model)])

    static func load(_ files: ModelFiles) throws -> @TYPE@Model { try @TYPE@Model(files) }
}
