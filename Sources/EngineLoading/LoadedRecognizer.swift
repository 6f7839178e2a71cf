package import CSynthEngine
package import EngineWire

/// The functions of a recognizer, with all required ones present.
package struct LoadedRecognizer: Sendable {
    package let recognizer: synth_recognizer
    package let functions: PluginFunctions
    package let recognize: Recognize

    package typealias Recognize =
        @convention(c) (
            OpaquePointer?, UnsafePointer<synth_recognition>?, UnsafePointer<synth_sound>?,
            UnsafePointer<synth_hearing>?, UnsafeMutablePointer<synth_error>?
        ) -> synth_status

    /// Asks a loaded file for its table.
    package init(_ library: EngineLibrary, log: @escaping PluginFunctions.Log) throws(Refusal) {
        let abi = UInt32(SYNTH_RECOGNIZER_ABI)
        try self.init(answer: library.recognizer(abi: abi, host: PluginFunctions.host(abi: abi, log: log)))
    }

    /// Checks the table that a recognizer returned.
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
