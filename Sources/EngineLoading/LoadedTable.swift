package import CSynthEngine
package import EngineWire
import Glibc

/// The functions of an engine, with all required ones present. The header says at each function which thread may call
/// it.
package struct LoadedTable: Sendable {
    package let engine: synth_engine
    package let load: Load
    package let open: Open
    package let synthesize: Synthesize
    package let close: Close
    package let unload: Unload
    package let cancel: Cancel?

    package typealias Load =
        @convention(c) (
            UnsafePointer<synth_load>?, UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<synth_error>?
        ) -> synth_status
    package typealias Open =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<synth_error>?
        ) -> synth_status
    package typealias Synthesize =
        @convention(c) (
            OpaquePointer?, UnsafePointer<synth_request>?, UnsafePointer<synth_sink>?,
            UnsafeMutablePointer<synth_error>?
        ) -> synth_status
    package typealias Close = @convention(c) (OpaquePointer?) -> Void
    package typealias Unload = @convention(c) (OpaquePointer?) -> Void
    package typealias Cancel = @convention(c) (OpaquePointer?, UInt64) -> Void

    /// Asks a loaded engine for its table.
    /// - Parameter log: a C function, because the interface passes no context to it.
    package init(
        _ library: EngineLibrary, log: @escaping @convention(c) (synth_severity, UnsafePointer<CChar>?) -> Void
    ) throws(Refusal) {
        // Lives until exit, as the header promises.
        let host = UnsafeMutablePointer<synth_host>.allocate(capacity: 1)
        host.initialize(to: synth_host())
        host.pointee.struct_size = UInt32(MemoryLayout<synth_host>.size)
        host.pointee.abi = UInt32(SYNTH_ABI)
        host.pointee.version = UnsafePointer(strdup(hostVersion))
        host.pointee.log = log
        try self.init(answer: library.table(abi: UInt32(SYNTH_ABI), host: host))
    }

    /// Checks the table that an engine returned.
    package init(answer table: UnsafePointer<synth_engine>?) throws(Refusal) {
        guard let table else {
            throw Refusal(.noTable(version: UInt32(SYNTH_ABI)))
        }
        let engine = synth_engine_known(table)
        guard engine.abi == UInt32(SYNTH_ABI) else {
            throw Refusal(.otherVersion(engine.abi, host: UInt32(SYNTH_ABI)))
        }
        guard let load = engine.load, let open = engine.open, let synthesize = engine.synthesize,
            let close = engine.close, let unload = engine.unload
        else {
            throw Refusal(.missingFunction)
        }
        self.engine = engine
        self.load = load
        self.open = open
        self.synthesize = synthesize
        self.close = close
        self.unload = unload
        self.cancel = engine.cancel
    }
}

/// A string of the other side; nil if it is NULL or not UTF-8.
package func known(_ string: UnsafePointer<CChar>?) -> String? {
    string.flatMap { String(validatingCString: $0) }
}
