import CSynthEngine
import Synchronization

/// The engine of this shared object. The C functions have no context argument, so they find their engine here.
struct InstalledEngine: Sendable {
    let engine: any EnginePlugin.Type
    let description: EngineDescription
    let host: PermanentCopy<synth_host>?
    let table: PermanentCopy<synth_engine>
    let roles: PermanentCopy<synth_role>
    let variables: PermanentCopy<UnsafePointer<CChar>?>
    let needs: PermanentCopy<synth_need>

    private static let installed = Mutex<InstalledEngine?>(nil)

    static var current: InstalledEngine? { installed.withLock { $0 } }

    /// Installs the engine at the first call. A later call returns what is installed, or `nil` for another engine.
    static func install(_ engine: any EnginePlugin.Type, host: EngineHost?) -> InstalledEngine? {
        installed.withLock { installed in
            if let installed { return installed.engine == engine ? installed : nil }
            let description = engine.description
            let made = InstalledEngine(
                engine: engine, description: description, host: host.map { PermanentCopy($0) },
                table: PermanentCopy(synth_engine(description)),
                roles: PermanentCopy(description.roles.map { synth_role($0) }),
                variables: PermanentCopy(description.variables.map { PermanentCopy($0).pointer }),
                needs: PermanentCopy(description.needs.map { synth_need($0) }))
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

extension EnginePlugin {
    /// The C table of this engine, valid until exit; `nil` if the host asks for another ABI, or if another engine of
    /// this shared object was installed before.
    public static func table(abi: UInt32, host: EngineHost?) -> EngineTable? {
        guard abi == UInt32(SYNTH_ABI) else { return nil }
        return InstalledEngine.install(Self.self, host: host)?.table.pointer
    }
}

/// The voices of the installed engine as C structs, made when they are first asked for.
struct VoiceList: Sendable {
    let voices: PermanentCopy<synth_voice>
    let count: Int

    static let shared = VoiceList()

    private init() {
        var structs: [synth_voice] = []
        do {
            let voices = try InstalledEngine.current?.engine.voices() ?? []
            structs.reserveCapacity(voices.count)
            var names: [String] = []
            var shared: PermanentCopy<UnsafePointer<CChar>?>?
            for voice in voices {
                if voice.speakers != names {
                    names = voice.speakers
                    shared = PermanentCopy(names.map { UnsafePointer?(PermanentCopy($0).pointer) })
                }
                structs.append(synth_voice(voice, speakers: voice.speakers.isEmpty ? nil : shared))
            }
        } catch {
            EngineLog.warning("The voices cannot be listed: \(error)")
        }
        count = structs.count
        voices = PermanentCopy(structs)
    }
}

/// Writes lines to the host's log. May be called from any thread. Lines before the host has loaded the engine are lost.
public enum EngineLog {
    public static func debug(_ line: String) { write(SYNTH_DEBUG, line) }
    /// What somebody should know who looks after the engine. While a model is loaded, the host keeps it as what the engine
    /// says about that model.
    public static func info(_ line: String) { write(SYNTH_INFO, line) }
    /// What the user should know.
    public static func warning(_ line: String) { write(SYNTH_WARNING, line) }

    private static func write(_ severity: synth_severity, _ line: String) {
        guard let host = InstalledEngine.current?.host, let log = synth_host_known(host.pointer).log else { return }
        log(severity, String(line.map { $0.isNewline ? " " : $0 }))
    }
}
