import CSynthEngine
public import EngineKit
import SynthSmallVoices

/// The engine's entry point; `nil` for an unsupported ABI version.
///
/// It has its own target: a program such as the tests links the parts of several engines, but can have only one entry.
@c @implementation
public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
    HibariEngine.table(abi: abi, host: host)
}
