package import CSynthEngine
import EngineWire
import Glibc

/// The functions that a table of either kind has. The header says at each which thread may call it.
package struct PluginFunctions: Sendable {
    package let load: Load
    package let open: Open
    package let close: End
    package let unload: End
    package let cancel: Cancel?

    package typealias Load =
        @convention(c) (
            UnsafePointer<synth_load>?, UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<synth_error>?
        ) -> synth_status
    package typealias Open =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<synth_error>?
        ) -> synth_status
    package typealias End = @convention(c) (OpaquePointer?) -> Void
    package typealias Cancel = @convention(c) (OpaquePointer?, UInt64) -> Void
    package typealias Log = @convention(c) (synth_severity, UnsafePointer<CChar>?) -> Void

    /// What the host tells a plugin of itself. Lives until exit, as the header promises.
    /// - Parameter log: a C function, because the interface passes no context to it.
    static func host(abi: UInt32, log: @escaping Log) -> UnsafePointer<synth_host> {
        let host = UnsafeMutablePointer<synth_host>.allocate(capacity: 1)
        host.initialize(to: synth_host())
        host.pointee.struct_size = UInt32(MemoryLayout<synth_host>.size)
        host.pointee.abi = abi
        host.pointee.version = UnsafePointer(strdup(hostVersion))
        host.pointee.log = log
        return UnsafePointer(host)
    }
}
