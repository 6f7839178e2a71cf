import FoundationEssentials

/// The format of `models.json`. Each field here is a field there.
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

package struct ModelDocument: Codable, Hashable {
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

package struct VoiceDocument: Codable, Hashable {
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
    package var model: String?
    var source: String?
    var files: [FileDocument]?
    var alternative: AlternativeDocument?
}

package struct AlternativeDocument: Codable, Hashable {
    var source: String?
    var files: [FileDocument]
}

package struct ProbeDocument: Codable, Hashable {
    var cost: Double
    var language: String
    var files: [ProbeFileDocument]
}

/// `content` is base64.
package struct ProbeFileDocument: Codable, Hashable {
    var role: String
    var name: String
    var content: Data
}

/// Either a `path` below the source, in plain text, or a `url` of its own.
package struct FileDocument: Codable, Hashable {
    var role: String
    var path: String?
    var url: String?
    var size: Int64
    var sha256: String?
    var md5: String?
    var unpacked: Int64?
    var roles: [String: String]?
    var members: [String]?
    var optional: Bool?
    var language: String?
}

extension ModelDocument {
    /// For the user's own files, which have no address.
    package init(id: String, engine: String, name: String?) {
        self.init(id: id, engine: engine, name: name, files: [])
    }
}

extension VoiceDocument {
    /// For the user's own files, which have no address.
    package init(
        id: String, engine: String, name: String, language: String, accent: String?, licence: String?,
        speakers: [String]
    ) {
        self.init(
            id: id, engine: engine, name: name, language: language, accent: accent, licence: licence,
            speakers: speakers.isEmpty ? nil : speakers, model: nil)
    }
}
