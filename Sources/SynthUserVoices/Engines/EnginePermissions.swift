import SynthEngineWire
import SynthJSON
import SynthSpeech
import SynthSystem

/// The additional permissions that this user grants to engines, in a file next to the configuration. A grant includes
/// the digest of the engine's file, so it does not apply to a changed file.
struct EnginePermissions: Codable, Equatable {
    private struct Grant: Codable, Equatable {
        /// The engine's ID, for people who read the file.
        var engine: String
        /// A raw value of `PluginKind`, because an engine and a recognizer may have the same ID. nil if an earlier
        /// version wrote the file.
        var kind: String?
        /// The digest of the engine's file in hexadecimal.
        var sha256: String
        /// Values of `EngineNeed.Kind.word`.
        var allowed: [String]

        func mayBe(_ plugin: PluginKind?) -> Bool { kind == nil || kind == plugin?.rawValue }
    }
    private var engines: [Grant] = []

    private static let largestSize = 1_000_000

    /// The path of the file next to a configuration file.
    static func path(beside configuration: String) -> String { "\(LinkTarget.folder(of: configuration))/allowed.json" }

    /// Reads the file. If it does not exist, no permissions are granted.
    init(path: String) throws(SpeechError) {
        let bytes: [UInt8]
        do {
            bytes = try readWholeFile(path, limit: Self.largestSize)
        } catch {
            if error == .notFound { return }
            throw .configurationUnreadable(file: path, reason: "\(error)")
        }
        let document: JSONNode
        do {
            document = try JSONReader.read(bytes)
        } catch {
            throw .configurationNotJSON(file: path, line: error.line, column: error.column, reason: error.reason)
        }
        do {
            self = try document.decode(Self.self)
        } catch {
            throw .configurationUnreadable(file: path, reason: "it was not written by synthhost")
        }
    }

    /// The permissions of a file, for a plugin kind or for any kind. Unknown words from later versions are ignored.
    func allowed(_ sha256: String, as kind: PluginKind? = nil) -> [EngineNeed.Kind] {
        engines.filter { $0.sha256 == sha256 && (kind == nil || $0.mayBe(kind)) }
            .flatMap(\.allowed).compactMap { EngineNeed.Kind(word: $0) }
    }

    var isEmpty: Bool { engines.isEmpty }

    /// Whether any permission is granted to a file of this engine.
    func knows(_ engine: String) -> Bool { engines.contains { $0.engine == engine } }

    /// Sets the permissions of a file. Permissions of other files of the same engine or recognizer are revoked.
    mutating func set(_ allowed: [EngineNeed.Kind], for sha256: String, of kind: PluginKind, _ id: String) {
        engines.removeAll { $0.engine == id && $0.mayBe(kind) }
        if !allowed.isEmpty {
            engines.append(
                Grant(engine: id, kind: kind.rawValue, sha256: sha256, allowed: allowed.map(\.word)))
        }
    }

    /// Reads, changes and saves the file under a lock.
    static func change(
        _ path: String, _ body: (inout EnginePermissions) -> Void
    ) throws(SpeechError) {
        let saving = try AtomicSave(path: path)
        var permissions = try EnginePermissions(path: path)
        body(&permissions)
        guard let node = try? JSONNode(encoding: permissions) else { return }
        try saving.replace(with: JSONWriter.text(of: node))
    }
}
