/// What an engine says of itself.
public struct EngineDescription: Sendable {
    /// What the configuration names: `[a-z0-9-]+`.
    public var id: String
    /// What people call it: "Kokoro".
    public var name: String
    public var version: String
    /// SPDX expression for the engine with everything that it links.
    public var licence: String
    /// Where to read more and report faults.
    public var url: String?
    public var capabilities: EngineCapabilities
    /// How many requests may be spoken at once in one process; 0 = any number.
    public var maximumLanes: Int
    /// What `SpeechRequest.rate` may be, around 1. `1...1` = the host changes the tempo itself.
    public var rates: ClosedRange<Float>
    /// What `SpeechRequest.pitch` may be, around 1. `1...1` = the host changes the pitch itself.
    public var pitches: ClosedRange<Float>
    /// The kinds of files that the voices use.
    public var roles: [FileRole]
    /// The environment variables that it, or a library that it links, reads, beside those that every engine gets:
    /// `[A-Z_][A-Z0-9_]*`. They are there from `load` on.
    public var variables: [String]

    public init(
        id: String, name: String, version: String, licence: String, url: String? = nil,
        capabilities: EngineCapabilities = [], maximumLanes: Int = 0, rates: ClosedRange<Float> = 1...1,
        pitches: ClosedRange<Float> = 1...1, roles: [FileRole] = [], variables: [String] = []
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.licence = licence
        self.url = url
        self.capabilities = capabilities
        self.maximumLanes = maximumLanes
        self.rates = rates
        self.pitches = pitches
        self.roles = roles
        self.variables = variables
    }
}
