import CSynthEngine
public import EngineKit
import SynthSmallVoices

// In a target of its own: one program, such as that of the tests, links the parts of several engines, but only one entry.
@c @implementation
public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
    HibariEngine.table(abi: abi, host: host)
}
