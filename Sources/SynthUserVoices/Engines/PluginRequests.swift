package import SynthEngineProcesses
package import SynthEngineWire
package import SynthSystem

/// What an engine or a recognizer requests beyond what every one gets, with what its user allows.
package struct PluginRequests: Sendable {
    /// Something that none may do unless its user allows it.
    package struct Need: Equatable, Sendable {
        /// All that there are, as a user names them.
        package static let names = EngineNeed.Kind.names
        private let need: EngineNeed
        package let isAllowed: Bool

        fileprivate init(_ need: EngineNeed, isAllowed: Bool) {
            self.need = need
            self.isAllowed = isAllowed
        }

        package var kind: EngineNeed.Kind { need.kind }
        /// One of `names`.
        package var name: String { need.kind.name }
        package var path: String? { need.kind.path }
        /// As in `network` and `folder:/opt/voices`.
        package var word: String { need.kind.word }
        /// The engine's sentence for the user.
        package var reason: String { need.reason }
    }

    /// A variable of the environment that it reads.
    package struct Variable: Equatable, Sendable {
        package let name: String
        package let isSet: Bool
        /// Every engine gets it.
        package let isHarmless: Bool
        /// The user allows it by name.
        package let isAllowed: Bool
        /// Its name or its value looks like that of a password or token.
        package let looksSecret: Bool

        /// As in `variable:LANG`.
        package var word: String { EngineNeed.Kind.variable(name).word }

        /// It is set, and the process does not get it.
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
        self.needs = needs.map { Need($0, isAllowed: allowed.contains($0.kind)) }
        self.variables = variables.map {
            Variable($0, environment[$0], isAllowed: allowed.contains(.variable($0)))
        }
    }

    package var isRecognizer: Bool { kind == .recognizer }
    /// "engine" or "recognizer".
    package var kindWord: String { kind.rawValue }

    /// What names it alone, if an engine and a recognizer have its id: `recognizer:whisper`.
    package var qualifiedID: String { "\(kind.rawValue):\(id)" }

    /// Something that a user can allow it.
    package struct Permission: Equatable, Sendable {
        let kind: EngineNeed.Kind
        package let isAllowed: Bool

        /// One of `Need.names`, or "variable".
        package var name: String { kind.name }
        /// As in `network`, `folder:/opt/voices` and `variable:LANG`.
        package var word: String { kind.word }
    }

    package var permissions: [Permission] {
        needs.map { Permission(kind: $0.kind, isAllowed: $0.isAllowed) }
            + variables.filter { !$0.isHarmless || $0.isAllowed }.map {
                Permission(kind: .variable($0.name), isAllowed: $0.isAllowed)
            }
    }
}

/// Starts engines, downloads and readers of documents for a process that has given up starting programs. Any thread may use it.
package struct EngineStarter: Sendable {
    let starter: ProgramStarter
    /// The walls of all engines that it starts, whatever the configuration says later.
    let confinement: EngineConfinement

    /// Gives up starting programs, for good: a small process starts workers, the fetcher and the reader from now on, which
    /// knows only these. A kernel without filters for calls gives nothing up. Nobody looks into this process any more.
    package init(_ installation: Installation, _ limits: EngineLimits) throws(Errno) {
        confinement = limits.confinement
        starter = try WorkerSpawn.starter(
            installation.worker, fetcher: installation.fetch, reader: installation.read, confinement: confinement,
            offering: Configuration.possibleEngineVariables)
        ProgramStarter.giveUpPrograms()
    }

    /// Gives up opening sockets, once those are open that others come to: a program that is asked by one could start another.
    package func giveUpSockets() { ProgramStarter.giveUpSockets() }

    /// Calls the body once nothing can be started any more, on a thread of its own.
    package func whenEnded(_ body: @escaping @Sendable () -> Void) { starter.whenEnded(body) }

    /// Whether engines would have other walls if it was made by these limits.
    package func differs(from limits: EngineLimits) -> Bool { confinement != limits.confinement }
}
