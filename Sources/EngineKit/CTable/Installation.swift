import CSynthEngine
import Synchronization

/// The engine of this shared object. The C functions have no context argument, so they find their engine here.
struct Installation: Sendable {
    let engine: any SpeechEngine.Type
    let description: EngineDescription
    let host: PermanentCopy<synth_host>?
    let table: PermanentCopy<synth_engine>
    let roles: PermanentCopy<synth_role>
    let variables: PermanentCopy<UnsafePointer<CChar>?>

    private static let installed = Mutex<Installation?>(nil)

    static var current: Installation? { installed.withLock { $0 } }

    /// Installs the engine at the first call. A later call returns what is installed, or `nil` for another engine.
    static func install(_ engine: any SpeechEngine.Type, host: EngineHost?) -> Installation? {
        installed.withLock { installed in
            if let installed { return installed.engine == engine ? installed : nil }
            let description = engine.description
            let made = Installation(
                engine: engine, description: description, host: host.map { PermanentCopy($0) },
                table: PermanentCopy(synth_engine(description)),
                roles: PermanentCopy(description.roles.map { synth_role($0) }),
                variables: PermanentCopy(description.variables.map { PermanentCopy($0).pointer }))
            installed = made
            return made
        }
    }

    /// The string for a role's name that the table returned: the host compares pointers.
    func roleName(_ name: String) -> UnsafePointer<CChar>? {
        guard let index = description.roles.firstIndex(where: { $0.name == name }) else { return nil }
        return roles.pointer[index].name
    }
}
