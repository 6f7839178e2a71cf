import CSynthEngine
import Synchronization

/// The engine of this shared object. A C function pointer carries no context, so its one engine is found here.
struct Installation: Sendable {
    let engine: any SpeechEngine.Type
    let description: EngineDescription
    let host: Immortal<synth_host>?
    let table: Immortal<synth_engine>
    let roles: Immortal<synth_role>

    private static let installed = Mutex<Installation?>(nil)

    static var current: Installation? { installed.withLock { $0 } }

    /// The first call counts; a later one finds what is there, and `nil` for another engine.
    static func install(_ engine: any SpeechEngine.Type, host: EngineHost?) -> Installation? {
        installed.withLock { installed in
            if let installed { return installed.engine == engine ? installed : nil }
            let description = engine.description
            let made = Installation(
                engine: engine, description: description, host: host.map { Immortal($0) },
                table: Immortal(synth_engine(description)),
                roles: Immortal(description.roles.map { synth_role($0) }))
            installed = made
            return made
        }
    }

    /// The table's own string for the name of a role: the host compares pointers.
    func roleName(_ name: String) -> UnsafePointer<CChar>? {
        guard let index = description.roles.firstIndex(where: { $0.name == name }) else { return nil }
        return roles.pointer[index].name
    }
}
