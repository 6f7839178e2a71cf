package import CSynthEngine
package import EngineWire
import Glibc

/// The functions of an engine, with all required ones present. The header says at each function which thread may call
/// it.
package struct LoadedTable: Sendable {
    package let engine: synth_engine
    package let functions: PluginFunctions
    package let synthesize: Synthesize

    package typealias Synthesize =
        @convention(c) (
            OpaquePointer?, UnsafePointer<synth_request>?, UnsafePointer<synth_sink>?,
            UnsafeMutablePointer<synth_error>?
        ) -> synth_status

    /// Asks a loaded engine for its table.
    package init(_ library: EngineLibrary, log: @escaping PluginFunctions.Log) throws(Refusal) {
        let abi = UInt32(SYNTH_ABI)
        try self.init(answer: library.table(abi: abi, host: PluginFunctions.host(abi: abi, log: log)))
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
        self.synthesize = synthesize
        functions = PluginFunctions(load: load, open: open, close: close, unload: unload, cancel: engine.cancel)
    }
}

/// A string of the other side; nil if it is NULL or not UTF-8.
package func known(_ string: UnsafePointer<CChar>?) -> String? {
    string.flatMap { String(validatingCString: $0) }
}
