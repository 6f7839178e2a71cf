import CSynthEngine
import EngineWire
import Glibc

/// The host that an engine is given. Log lines are dropped.
enum ProbeHost {
    /// Lives until exit, as the header promises.
    static var pointer: UnsafePointer<synth_host> { make(extra: 0) }

    /// A host of a later version, whose struct has `extra` more bytes.
    static func make(extra: Int) -> UnsafePointer<synth_host> {
        var host = synth_host()
        host.struct_size = UInt32(MemoryLayout<synth_host>.size + extra)
        host.abi = UInt32(SYNTH_ABI)
        host.version = UnsafePointer(strdup(hostVersion))
        host.log = { _, _ in }
        return UnsafePointer(LongerStruct.copy(of: host, extra: extra))
    }
}
