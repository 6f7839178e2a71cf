package import SynthEngineProcesses
package import SynthEngineWire
package import SynthSystem

/// The additional permissions that an engine or a recognizer requests, and those that the user has granted.
package struct PluginRequests: Sendable {
    /// A permission that the user can grant.
    package struct Need: Equatable, Sendable {
        /// The names of all permissions that plugins request, as typed by the user.
        package static let names = EngineNeed.Kind.names
        package let kind: EngineNeed.Kind
        /// The engine's explanation for the user. Empty for a variable.
        package var reason = ""
        package let isAllowed: Bool

        /// One of `names`, or "variable".
        package var name: String { kind.name }
        package var path: String? { kind.path }
        /// The permission as typed by the user: `network`, `folder:/opt/voices` or `variable:LANG`.
        package var word: String { kind.word }
    }

    /// An environment variable that the plugin reads.
    package struct Variable: Equatable, Sendable {
        package let name: String
        package let isSet: Bool
        /// Whether the variable is passed to engines even if the user has not granted it.
        package let isHarmless: Bool
        /// Whether the user has granted this variable by name.
        package let isAllowed: Bool
        /// Whether the name or the value looks like a password or a token.
        package let looksSecret: Bool

        /// The permission as typed by the user, such as `variable:LANG`.
        package var word: String { EngineNeed.Kind.variable(name).word }

        /// Whether the variable is set but withheld from the plugin.
        package var isWithheld: Bool { isSet && !isHarmless && !isAllowed }

        fileprivate init(_ name: String, _ value: String?, isAllowed: Bool) {
            self.name = name
            self.isAllowed = isAllowed
            isSet = value != nil
            isHarmless = EngineVariables.isHarmless(name, value ?? "")
            looksSecret = !isHarmless && (SecretSigns.isSecret(name: name) || SecretSigns.isSecret(value ?? ""))
        }
    }

    let kind: PluginKind
    package let id: String
    package let path: String
    package let needs: [Need]
    package let variables: [Variable]

    init(
        _ kind: PluginKind, id: String, path: String, needs: [EngineNeed], variables: [String],
        allowing allowed: [EngineNeed.Kind],
        in environment: [String: String]
    ) {
        self.kind = kind
        self.id = id
        self.path = path
        self.needs = needs.map { Need(kind: $0.kind, reason: $0.reason, isAllowed: allowed.contains($0.kind)) }
        self.variables = variables.map {
            Variable($0, environment[$0], isAllowed: allowed.contains(.variable($0)))
        }
    }

    package var isRecognizer: Bool { kind == .recognizer }
    /// The plugin kind: "engine" or "recognizer".
    package var kindName: String { kind.rawValue }

    /// A name that is unambiguous even if an engine and a recognizer have the same ID: `recognizer:whisper`.
    package var qualifiedID: String { "\(kind.rawValue):\(id)" }

    /// The permissions that the user can grant to the plugin.
    package var permissions: [Need] {
        needs
            + variables.filter { !$0.isHarmless || $0.isAllowed }.map {
                Need(kind: .variable($0.name), isAllowed: $0.isAllowed)
            }
    }
}

/// Starts workers, the fetcher and the document reader on behalf of a process that can no longer start programs itself.
/// Thread-safe.
package struct EngineStarter: Sendable {
    let starter: ProgramStarter
    /// The confinement of all engines started by this value, even if the configuration changes later.
    let confinement: EngineConfinement

    /// Permanently prevents this process from starting programs. Instead, a small helper process starts the workers,
    /// the fetcher and the reader; it cannot start any other programs. Other processes can no longer inspect this
    /// process. Does nothing on a kernel without system call filters.
    package init(_ installation: Installation, _ limits: EngineLimits) throws(Errno) {
        confinement = limits.confinement
        starter = try WorkerSpawn.starter(
            installation.worker, fetcher: installation.fetch, reader: installation.read, confinement: confinement,
            offering: Configuration.possibleEngineVariables)
        ProgramStarter.giveUpPrograms()
    }

    /// Permanently prevents this process from opening sockets. Call this once the server sockets are open. Without this
    /// restriction, a compromised process could connect to another program's socket and make it start programs.
    package func giveUpSockets() { ProgramStarter.giveUpSockets() }

    /// Calls the body on a separate thread once the helper process has ended, after which no programs can be started.
    package func whenEnded(_ body: @escaping @Sendable () -> Void) { starter.whenEnded(body) }

    /// Whether these limits would require a different confinement.
    package func differs(from limits: EngineLimits) -> Bool { confinement != limits.confinement }
}
