import CSynthEngine
import Synchronization

/// An engine or a recognizer in this shared object.
struct InstalledPlugin<Description: Sendable, Table, Item, Lane>: Sendable {
    let type: ObjectIdentifier
    let description: Description
    let table: PermanentCopy<Table>
    let parts: PluginParts
    /// Returns the declared voices or models.
    let items: @Sendable () throws -> [Item]
    let load: @Sendable (ModelFiles) throws -> LoadedModel<Lane>
}

/// Holds this shared object's engine or recognizer, so that C functions without a pointer argument can find it.
final class PluginSlot<Description: Sendable, Table, Item, Lane>: Sendable {
    typealias Plugin = InstalledPlugin<Description, Table, Item, Lane>

    private let installed = Mutex<Plugin?>(nil)

    var current: Plugin? { installed.withLock { $0 } }

    /// Installs a plugin on the first call. A later call returns the installed plugin, or nil if a different one is
    /// installed.
    func install(_ type: ObjectIdentifier, host: EngineHost?, _ make: () -> Plugin) -> Plugin? {
        installed.withLock { installed in
            if let installed { return installed.type == type ? installed : nil }
            let made = make()
            EngineLog.use(host)
            installed = made
            return made
        }
    }

    func load(
        _ load: UnsafePointer<synth_load>?, _ model: UnsafeMutablePointer<OpaquePointer?>?,
        _ error: UnsafeMutablePointer<synth_error>?
    ) -> synth_status {
        let current = current
        return reporting(to: error, current?.parts) {
            guard let load, let model, let current else { throw EngineError.misuse }
            model.pointee = try current.load(ModelFiles(synth_load_known(load))).handle()
        }
    }

    func open(
        _ model: OpaquePointer?, _ lane: UnsafeMutablePointer<OpaquePointer?>?,
        _ error: UnsafeMutablePointer<synth_error>?
    ) -> synth_status {
        reporting(to: error, current?.parts) {
            guard let model, let lane else { throw EngineError.misuse }
            lane.pointee = OpenLane(try LoadedModel<Lane>.of(model).open()).handle()
        }
    }
}
