import CSynthEngine

extension SpeechEngine {
    /// The C table of this engine, valid until exit; `nil` if the host asks for another ABI, or if another engine of
    /// this shared object was installed before.
    public static func table(abi: UInt32, host: EngineHost?) -> EngineTable? {
        guard abi == UInt32(SYNTH_ABI) else { return nil }
        return Installation.install(Self.self, host: host)?.table.pointer
    }
}
