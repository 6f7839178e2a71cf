import CSynthEngine

/// A voice that an engine knows without the registry.
public struct SpeechVoice: Sendable {
    public enum Gender: Sendable {
        case unsaid, female, male, neutral
    }

    /// Unique in the engine: `[A-Za-z0-9._+-]+`.
    public var id: String
    /// What people call it: "Heart".
    public var name: String
    /// BCP-47.
    public var language: String
    /// "American".
    public var accent: String?
    public var gender: Gender
    /// Of the voice; `nil` = the engine's.
    public var licence: String?
    /// Voices of equal model share its files of scope `.model`; `nil` = the voice is its own model.
    public var model: String?
    /// Names of the speakers; empty = one, without a name. Voices in a row with equal speakers share one C array.
    public var speakers: [String]
    /// The files of both scopes; empty = built in.
    public var sources: [FileSource]

    public init(
        id: String, name: String, language: String, accent: String? = nil, gender: Gender = .unsaid,
        licence: String? = nil, model: String? = nil, speakers: [String] = [], sources: [FileSource] = []
    ) {
        self.id = id
        self.name = name
        self.language = language
        self.accent = accent
        self.gender = gender
        self.licence = licence
        self.model = model
        self.speakers = speakers
        self.sources = sources
    }
}
