import CSynthEngine
public import EngineKit

@c @implementation
public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
    KokoroEngine.table(abi: abi, host: host)
}
