package import CSynthEngine
import Glibc

/// An engine that is called through its C table, as a host would call it.
package struct LoadedEngine {
    /// Thrown if an engine cannot be loaded.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let table: UnsafePointer<synth_engine>

    /// The engine that an entry function returns.
    package init(entry: (UInt32, UnsafePointer<synth_host>?) -> UnsafePointer<synth_engine>?) throws {
        guard entry(UInt32(SYNTH_ABI) + 1, HostLog.host) == nil else {
            throw Failure(description: "The engine claims to support an ABI version that does not exist.")
        }
        guard let table = entry(UInt32(SYNTH_ABI), HostLog.host) else {
            throw Failure(description: "The engine does not support this ABI version.")
        }
        self.table = table
    }

    /// The engine in `lib<product>.so` of this build.
    package init(product: String) throws {
        let path = "\(BuildFolder.path)/lib\(product).so"
        guard let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw Failure(description: dlerror().map { String(cString: $0) } ?? "dlopen failed")
        }
        guard let symbol = dlsym(library, "synth_engine_entry") else {
            throw Failure(description: "\(path) exports no synth_engine_entry")
        }
        typealias Entry = @convention(c) (UInt32, UnsafePointer<synth_host>?) -> UnsafePointer<synth_engine>?
        try self.init(entry: unsafeBitCast(symbol, to: Entry.self))
    }

    package var description: synth_engine { table.pointee }

    package var voices: [synth_voice] {
        (0..<UInt32.max).lazy.map { table.pointee.voice?($0) }.prefix { $0 != nil }.compactMap { $0?.pointee }
    }

    package var roles: [synth_role] {
        (0..<UInt32.max).lazy.map { table.pointee.role?($0) }.prefix { $0 != nil }.compactMap { $0?.pointee }
    }

    /// Loads a model, which uses one thread by default. ONNX Runtime's threads spin while waiting for each other, which
    /// takes CPU time away from concurrent tests.
    package func load(
        _ model: String = "", files: [String: String] = [:], threads: UInt32 = 1, cacheDirectory: String? = nil
    ) throws -> LoadedModel {
        try LoadedModel(table: table, name: model, files: files, threads: threads, cacheDirectory: cacheDirectory)
    }

    /// Opens a lane of a newly loaded model.
    package func open() throws -> LoadedLane { try load().open() }
}
