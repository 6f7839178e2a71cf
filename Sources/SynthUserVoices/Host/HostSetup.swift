package import SynthEngineProcesses
package import SynthModelStore
package import SynthSpeech
package import SynthSystem

/// The installation, folders, configuration and limits of a host on this machine.
package struct HostSetup: Sendable {
    package var installation: Installation
    package var folders: UserFolders
    package var environment: [String: String]
    /// The environment of child processes, or nil to pass on this process's environment unchanged.
    package var childEnvironment: [String: String]?
    /// Additional plugins folders that take precedence over all others.
    package var extraPluginFolders: [String] = []
    /// The limits for engines. If `starter` is set, its confinement takes precedence over the confinement in these
    /// limits.
    package var limits = EngineLimits()
    package var network = NetworkPolicy()
    package var presets = Configuration()
    /// The configuration file. The default is the file that the environment selects.
    package var configuration: ConfigurationFile
    /// The list in which the host records the files that it reads.
    package var inUse = FilesInUse()
    /// Starts child processes, or nil if this process starts them.
    package var starter: EngineStarter?
    /// The source of lanes for sessions. The default creates separate lanes in each session.
    package var lanes: any LaneSource = OwnLanes()

    package init(installation: Installation, folders: UserFolders, environment: [String: String]) {
        self.installation = installation
        self.folders = folders
        self.environment = environment
        configuration = ConfigurationFile.inForce(environment: { environment[$0] })
    }

    /// - Parameter change: sets the properties that differ from their defaults.
    package init(
        installation: Installation, folders: UserFolders, environment: [String: String],
        _ change: (inout HostSetup) throws -> Void
    ) rethrows {
        self.init(installation: installation, folders: folders, environment: environment)
        try change(&self)
    }

    /// Creates the setup that the `synthhost` command uses.
    package static func ofThisUser() throws(SpeechError) -> HostSetup {
        let process = ProcessEnvironment()
        if let name = process.misleading.first { throw .environmentInvalid(name) }
        let environment = process.variables
        var setup = HostSetup(
            installation: try Installation(executable: Installation.executable, environment: environment),
            folders: UserFolders(environment: environment), environment: environment)
        setup.presets = try setup.configuration.load()
        setup.limits = setup.presets.limits
        setup.network = NetworkPolicy(environment: environment)
        return setup
    }

    /// The limits, with the starter's confinement if there is a starter.
    var engineLimits: EngineLimits {
        var limits = limits
        if let starter { limits.confinement = starter.confinement }
        return limits
    }

    /// The properties that determine how engines speak on this host.
    package var identity: HostIdentity {
        HostIdentity(
            installation, folders, engineLimits, allowing: EnginePermissions.path(beside: configuration.path),
            environment: presets.engineVariables.merging(environment) { $1 })
    }
}
