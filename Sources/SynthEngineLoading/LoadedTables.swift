package import CSynthEngine
import Glibc
package import SynthEngineWire

/// An engine's functions. No required function is missing. The header documents which threads may call each function.
package struct LoadedTable: Sendable {
    package let engine: synth_engine
    package let functions: PluginFunctions
    package let synthesize: Synthesize

    /// The type of an engine's `synthesize`.
    package typealias Synthesize =
        @convention(c) (
            OpaquePointer?, UnsafePointer<synth_request>?, UnsafePointer<synth_sink>?,
            UnsafeMutablePointer<synth_error>?
        ) -> synth_status

    /// Gets the table of a loaded engine.
    package init(_ library: EngineLibrary, log: @escaping PluginFunctions.Log) throws(Refusal) {
        let abi = UInt32(SYNTH_ABI)
        try self.init(answer: library.table(abi: abi, host: PluginFunctions.host(abi: abi, log: log)))
    }

    /// Validates the table that an engine returned.
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

/// Returns a string from the plugin; nil if it is NULL or not UTF-8.
package func known(_ string: UnsafePointer<CChar>?) -> String? {
    string.flatMap { String(validatingCString: $0) }
}

/// A recognizer's functions. No required function is missing.
package struct LoadedRecognizer: Sendable {
    package let recognizer: synth_recognizer
    package let functions: PluginFunctions
    package let recognize: Recognize

    /// The type of a recognizer's `recognize`.
    package typealias Recognize =
        @convention(c) (
            OpaquePointer?, UnsafePointer<synth_recognition>?, UnsafePointer<synth_sound>?,
            UnsafePointer<synth_hearing>?, UnsafeMutablePointer<synth_error>?
        ) -> synth_status

    /// Gets the table of a loaded recognizer.
    package init(_ library: EngineLibrary, log: @escaping PluginFunctions.Log) throws(Refusal) {
        let abi = UInt32(SYNTH_RECOGNIZER_ABI)
        try self.init(answer: library.recognizer(abi: abi, host: PluginFunctions.host(abi: abi, log: log)))
    }

    /// Validates the table that a recognizer returned.
    package init(answer table: UnsafePointer<synth_recognizer>?) throws(Refusal) {
        guard let table else { throw Refusal(.noTable(version: UInt32(SYNTH_RECOGNIZER_ABI))) }
        let recognizer = synth_recognizer_known(table)
        guard recognizer.abi == UInt32(SYNTH_RECOGNIZER_ABI) else {
            throw Refusal(.otherVersion(recognizer.abi, host: UInt32(SYNTH_RECOGNIZER_ABI)))
        }
        guard let load = recognizer.load, let open = recognizer.open, let recognize = recognizer.recognize,
            let close = recognizer.close, let unload = recognizer.unload
        else {
            throw Refusal(.missingFunction)
        }
        self.recognizer = recognizer
        self.recognize = recognize
        functions = PluginFunctions(load: load, open: open, close: close, unload: unload, cancel: recognizer.cancel)
    }
}

/// The functions that both types of tables have. The header documents which threads may call each function.
package struct PluginFunctions: Sendable {
    package let load: Load
    package let open: Open
    package let close: End
    package let unload: End
    package let cancel: Cancel?

    /// The type of `load`.
    package typealias Load =
        @convention(c) (
            UnsafePointer<synth_load>?, UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<synth_error>?
        ) -> synth_status
    /// The type of `open`.
    package typealias Open =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<synth_error>?
        ) -> synth_status
    /// The type of `close` and `unload`.
    package typealias End = @convention(c) (OpaquePointer?) -> Void
    /// The type of `cancel`.
    package typealias Cancel = @convention(c) (OpaquePointer?, UInt64) -> Void
    /// The type of the host's `log`.
    package typealias Log = @convention(c) (synth_severity, UnsafePointer<CChar>?) -> Void

    /// Returns the description of the host for a plugin. Valid until exit, as the header promises.
    ///
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
