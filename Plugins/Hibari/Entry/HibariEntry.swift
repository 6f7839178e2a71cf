import CSynthEngine
public import EngineKit
import SynthHibari

/// The engine's entry point; `nil` for an unsupported ABI version.
///
/// The entry point is in a separate target, because a program such as the test runner may link several engines but can
/// have only one entry point.
@c @implementation
public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
    HibariEngine.table(abi: abi, host: host)
}
