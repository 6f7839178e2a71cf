package import CSynthEngine
import Glibc
package import SynthEngineWire

/// The struct that a plugin returns: `synth_engine` or `synth_recognizer`. Requirements without a comment are its
/// fields.
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
package protocol PluginTable: Sendable {
    /// The type of `work`.
    associatedtype Work: Sendable

    static var kind: PluginKind { get }
    /// Copies the fields that the plugin's version of the struct has (see `synth_known.h`).
    static func known(_ table: UnsafePointer<Self>) -> Self
    /// The function that speaks or transcribes; nil if it is missing.
    var work: Work? { get }
    /// The other functions; nil if a required one is missing.
    var functions: PluginFunctions? { get }

    var abi: UInt32 { get }
    var id: UnsafePointer<CChar>! { get }
    var name: UnsafePointer<CChar>! { get }
    var version: UnsafePointer<CChar>! { get }
    var license: UnsafePointer<CChar>! { get }
    var url: UnsafePointer<CChar>! { get }
    var capabilities: UInt32 { get }
    var max_lanes: UInt32 { get }
    var role: (@convention(c) (UInt32) -> UnsafePointer<synth_role>?)! { get }
    var variable: (@convention(c) (UInt32) -> UnsafePointer<CChar>?)! { get }
    var need: (@convention(c) (UInt32) -> UnsafePointer<synth_need>?)! { get }
}

extension synth_engine: PluginTable {
    /// The type of `synthesize`.
    package typealias Work =
        @convention(c) (
            OpaquePointer?, UnsafePointer<synth_request>?, UnsafePointer<synth_sink>?,
            UnsafeMutablePointer<synth_error>?
        ) -> synth_status

    package static let kind = PluginKind.engine
    package static func known(_ table: UnsafePointer<Self>) -> Self { synth_engine_known(table) }
    package var work: Work? { synthesize }
    package var functions: PluginFunctions? { PluginFunctions(load, open, close, unload, cancel) }
}

extension synth_recognizer: PluginTable {
    /// The type of `recognize`.
    package typealias Work =
        @convention(c) (
            OpaquePointer?, UnsafePointer<synth_recognition>?, UnsafePointer<synth_sound>?,
            UnsafePointer<synth_hearing>?, UnsafeMutablePointer<synth_error>?
        ) -> synth_status

    package static let kind = PluginKind.recognizer
    package static func known(_ table: UnsafePointer<Self>) -> Self { synth_recognizer_known(table) }
    package var work: Work? { recognize }
    package var functions: PluginFunctions? { PluginFunctions(load, open, close, unload, cancel) }
}

extension PluginKind {
    /// The version of the interface.
    package var abi: UInt32 {
        switch self {
        case .engine: UInt32(SYNTH_ABI)
        case .recognizer: UInt32(SYNTH_RECOGNIZER_ABI)
        }
    }
}

/// A plugin's table, in which no required function is missing. The header documents which threads may call each function.
package struct LoadedTable<Table: PluginTable>: Sendable {
    package let fields: Table
    package let functions: PluginFunctions
    package let work: Table.Work

    /// Gets the table of a loaded plugin.
    package init(_ library: EngineLibrary, log: @escaping PluginFunctions.Log) throws(Refusal) {
        try self.init(answer: library.table(host: PluginFunctions.host(abi: Table.kind.abi, log: log)))
    }

    /// Validates the table that a plugin returned.
    package init(answer: UnsafePointer<Table>?) throws(Refusal) {
        let abi = Table.kind.abi
        guard let answer else { throw Refusal(.noTable(version: abi)) }
        let fields = Table.known(answer)
        guard fields.abi == abi else { throw Refusal(.otherVersion(fields.abi, host: abi)) }
        guard let functions = fields.functions, let work = fields.work else { throw Refusal(.missingFunction) }
        self.fields = fields
        self.functions = functions
        self.work = work
    }
}

/// Returns a string from the plugin; nil if it is NULL or not UTF-8.
package func known(_ string: UnsafePointer<CChar>?) -> String? {
    string.flatMap { String(validatingCString: $0) }
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

    /// Returns nil if a required function is missing.
    init?(_ load: Load?, _ open: Open?, _ close: End?, _ unload: End?, _ cancel: Cancel?) {
        guard let load, let open, let close, let unload else { return nil }
        self.load = load
        self.open = open
        self.close = close
        self.unload = unload
        self.cancel = cancel
    }

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
