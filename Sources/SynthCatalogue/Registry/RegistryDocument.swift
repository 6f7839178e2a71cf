import SynthJSON
import SynthSystem

/// The format of `models.json`, with the same field names.
struct RegistryDocument: Codable {
    var sources: [String: SourceDocument]?
    var engines: [String: EngineDocument]?
    var models: [ModelDocument]?
    var voices: [VoiceDocument]?
    var recognizerModels: [RecognizerModelDocument]?
}

struct SourceDocument: Codable {
    var url: String
    var revision: String?
    var card: String?
}

/// An entry of `models`.
package struct ModelDocument: Codable, Equatable, Sendable {
    var id: String
    var engine: String
    var name: String?
    var precision: String?
    var variantOf: String?
    var license: String?
    var cost: Double?
    var probe: ProbeDocument?
    var source: String?
    var files: [FileDocument]
    var alternative: AlternativeDocument?
}

/// An entry of `voices`.
package struct VoiceDocument: Codable, Equatable, Sendable {
    package var id: String
    package var engine: String
    var name: String
    var language: String
    var accent: String?
    var gender: Gender?
    var grade: String?
    var quality: String?
    var license: String?
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

/// An alternative source for an entry's files.
package struct AlternativeDocument: Codable, Equatable {
    var source: String?
    var files: [FileDocument]
}

/// The model for measuring an engine's speed; see `Probe`.
package struct ProbeDocument: Codable, Equatable {
    var cost: Double
    var language: String
    var files: [ProbeFileDocument]
}

/// A file of a probe, with its content in base64.
package struct ProbeFileDocument: Codable, Equatable {
    var role: String
    var name: String
    var content: BytesAsText
}

/// A file with either a `path`, which is relative to the source and not percent-encoded, or its own `url`.
package struct FileDocument: Codable, Equatable {
    var role: String
    var path: String?
    var url: String?
    /// Additional URLs for the same file.
    var mirrors: [String]?
    var size: Int64
    var sha256: String?
    var md5: String?
    var unpacked: Int64?
    var roles: [String: String]?
    var members: [String]?
    var optional: Bool?
    var language: String?
}

/// A source of downloadable files.
package struct Source: Sendable, Equatable {
    package let id: String
    /// The files' base URL, with a trailing slash.
    package let url: String
    /// The revision to which the URLs are pinned, or the branch that they follow.
    package let revision: String?
    /// The name of the license file, in the folder of a voice's first file.
    package let card: String?

    /// Whether the URLs may later refer to different content, which would fail digest verification.
    var followsBranch: Bool { ["main", "master", "HEAD"].contains(revision) }

    /// The URL of a file in this source. `path` is not percent-encoded.
    package func address(of path: String) -> String { url + PercentEncoding.encoded(path) }
}

extension ModelDocument {
    /// Creates a document for the user's own files, which have no URL.
    package init(id: String, engine: String, name: String?) {
        self.init(id: id, engine: engine, name: name, files: [])
    }
}

extension VoiceDocument {
    /// Creates a document for the user's own files, which have no URL.
    ///
    /// - Parameters:
    ///   - language: a BCP 47 tag.
    ///   - grade: the overall grade assigned by the voice's authors, "A" to "F".
    package init(
        own id: String, engine: String, name: String, language: String, accent: String? = nil, gender: Gender? = nil,
        grade: String? = nil, license: String? = nil, speakers: [String] = []
    ) {
        self.init(
            id: id, engine: engine, name: name, language: language, accent: accent, gender: gender, grade: grade,
            license: license, speakers: speakers.isEmpty ? nil : speakers)
    }
}

extension Model {
    /// The part that is stored in a record: everything except the URLs.
    package var document: ModelDocument {
        ModelDocument(
            id: id, engine: engine, name: name, precision: precision, variantOf: variantOf, license: license, files: [])
    }

    /// Creates a model from a record.
    package init(_ document: ModelDocument) {
        self.init(
            id: document.id, engine: document.engine, name: document.name, precision: document.precision,
            variantOf: document.variantOf, license: document.license, cost: nil, probe: nil, files: [], alternative: [])
    }
}

extension Voice {
    package init(
        _ document: VoiceDocument, model: Model?, files: [ModelFile], alternative: [ModelFile],
        sources: [String: Source], folder: String? = nil
    ) {
        let source = document.source.flatMap { sources[$0] }
        let card: String? =
            if let card = source?.card, let first = files.first?.url, let slash = first.lastIndex(of: "/") {
                String(first[...slash]) + PercentEncoding.encoded(card)
            } else { document.card }
        self.init(
            id: document.id, engine: document.engine, name: document.name, language: document.language,
            accent: document.accent, gender: document.gender, grade: document.grade, quality: document.quality,
            license: document.license, cardURL: card, speakers: document.speakers ?? [],
            aliases: document.aliases ?? [], gain: document.gain ?? 0, cost: document.cost ?? model?.cost,
            starter: document.starter, isRecommended: document.recommended ?? false,
            unsupported: document.unsupported, model: model, files: files,
            alternative: alternative,
            folder: folder ?? document.id)
    }

    /// The part that is stored in a record: everything except the URLs, which may change.
    package var document: VoiceDocument {
        VoiceDocument(
            id: id, engine: engine, name: name, language: language, accent: accent, gender: gender, grade: grade,
            quality: quality, license: license, card: cardURL, aliases: aliases.isEmpty ? nil : aliases,
            speakers: speakers.isEmpty ? nil : speakers, gain: gain == 0 ? nil : gain, starter: starter,
            recommended: isRecommended ? true : nil, model: model?.id)
    }
}
