import SynthEngineWire
import SynthJSON
import SynthSpeech
import SynthSystem

/// The additional permissions that the user has granted to engines, stored in a file next to the configuration. Each grant contains the
/// digest of the engine's file, so that it does not apply to a modified file.
struct EnginePermissions: Codable, Equatable {
    private struct Grant: Codable, Equatable {
        /// The engine's ID, for users who read the file.
        var engine: String
        /// The raw value of a `PluginKind`. It is stored because an engine and a recognizer may have the same ID; nil
        /// if an earlier version wrote the grant.
        var kind: String?
        /// The hexadecimal digest of the engine's file.
        var sha256: String
        /// Values of `EngineNeed.Kind.word`.
        var allowed: [String]

        func mayBe(_ plugin: PluginKind?) -> Bool { kind == nil || kind == plugin?.rawValue }
    }
    private var engines: [Grant] = []

    private static let largestSize = 1_000_000

    static func path(beside configuration: String) -> String { "\(LinkTarget.folder(of: configuration))/allowed.json" }

    /// Reads the file. A missing file grants no permissions.
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

    /// The permissions granted to a file as a plugin of this kind, or of any kind if `kind` is nil. Unknown words,
    /// which a later version may have written, are ignored.
    func allowed(_ sha256: String, as kind: PluginKind? = nil) -> [EngineNeed.Kind] {
        engines.filter { $0.sha256 == sha256 && (kind == nil || $0.mayBe(kind)) }
            .flatMap(\.allowed).compactMap { EngineNeed.Kind(word: $0) }
    }

    var isEmpty: Bool { engines.isEmpty }

    func knows(_ engine: String) -> Bool { engines.contains { $0.engine == engine } }

    /// Sets a file's permissions, and revokes the permissions of other files of the same engine or recognizer.
    mutating func set(_ allowed: [EngineNeed.Kind], for sha256: String, of kind: PluginKind, _ id: String) {
        engines.removeAll { $0.engine == id && $0.mayBe(kind) }
        if !allowed.isEmpty {
            engines.append(
                Grant(engine: id, kind: kind.rawValue, sha256: sha256, allowed: allowed.map(\.word)))
        }
    }

    /// Reads, changes and saves the file while holding a lock.
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
