import FoundationEssentials

/// `models.json` as it is written. One field here is one field there.
struct RegistryDocument: Codable {
    var sources: [String: SourceDocument]?
    var engines: [String: EngineDocument]?
    var models: [ModelDocument]?
    var voices: [VoiceDocument]?
}

struct SourceDocument: Codable {
    var url: String
    var revision: String?
    var card: String?
}

struct EngineDocument: Codable {
    /// What to do where there is no such engine.
    var absent: String?
}

struct ModelDocument: Codable, Hashable {
    var id: String
    var engine: String
    var name: String?
    var precision: String?
    var variantOf: String?
    var licence: String?
    var cost: Double?
    var probe: ProbeDocument?
    var source: String?
    var files: [FileDocument]
    var alternative: AlternativeDocument?
}

struct VoiceDocument: Codable, Hashable {
    var id: String
    var engine: String
    var name: String
    var language: String
    var accent: String?
    var gender: Gender?
    var grade: String?
    var quality: String?
    var licence: String?
    var card: String?
    var aliases: [String]?
    var speakers: [String]?
    var gain: Double?
    var cost: Double?
    var starter: Int?
    var recommended: Bool?
    var unsupported: String?
    var model: String?
    var source: String?
    var files: [FileDocument]?
    var alternative: AlternativeDocument?
}

struct AlternativeDocument: Codable, Hashable {
    var source: String?
    var files: [FileDocument]
}

struct ProbeDocument: Codable, Hashable {
    var cost: Double
    var language: String
    var files: [ProbeFileDocument]
}

/// `content` is base64.
struct ProbeFileDocument: Codable, Hashable {
    var role: String
    var name: String
    var content: Data
}

/// Either a `path` below the source, in plain text, or a `url` of its own.
struct FileDocument: Codable, Hashable {
    var role: String
    var path: String?
    var url: String?
    var size: Int64
    var sha256: String?
    var md5: String?
    var unpacked: Int64?
    var roles: [String: String]?
    var members: [String]?
}
