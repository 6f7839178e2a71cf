import SynthEngineWire
import SynthJSON
import SynthSpeech
import SynthSystem

/// What this user allows engines beyond what every engine may, in a file beside the configuration. It is kept with the digest of the
/// engine's file, so that one that changed is asked for again.
struct EnginePermissions: Codable, Equatable {
    private struct Grant: Codable, Equatable {
        /// Its id, for people who read the file.
        var engine: String
        /// Of a `PluginKind`: an engine and a recognizer may have the same id. nil = an earlier version wrote it.
        var kind: String?
        /// Of its file, in hexadecimal.
        var sha256: String
        /// As `EngineNeed.Kind.word`.
        var allowed: [String]

        func mayBe(_ plugin: PluginKind?) -> Bool { kind == nil || kind == plugin?.rawValue }
    }
    private var engines: [Grant] = []

    private static let largestSize = 1_000_000

    /// The path of the file beside a configuration.
    static func path(beside configuration: String) -> String { "\(LinkTarget.folder(of: configuration))/allowed.json" }

    /// Nothing is allowed if the file is not there.
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
            throw .configurationUnreadable(file: path, reason: "it is not what synthhost writes there")
        }
    }

    /// What a file may do, as a plugin of a kind or as any. Words of a later version are ignored.
    func allowed(_ sha256: String, as kind: PluginKind? = nil) -> [EngineNeed.Kind] {
        engines.filter { $0.sha256 == sha256 && (kind == nil || $0.mayBe(kind)) }
            .flatMap(\.allowed).compactMap { EngineNeed.Kind(word: $0) }
    }

    var isEmpty: Bool { engines.isEmpty }

    /// Whether anything is allowed to a file of this engine.
    func knows(_ engine: String) -> Bool { engines.contains { $0.engine == engine } }

    /// From now on the file of an engine or recognizer may do this and no more. What was allowed to other files of it ends.
    mutating func set(_ allowed: [EngineNeed.Kind], for sha256: String, of kind: PluginKind, _ id: String) {
        engines.removeAll { $0.engine == id && $0.mayBe(kind) }
        if !allowed.isEmpty {
            engines.append(
                Grant(engine: id, kind: kind.rawValue, sha256: sha256, allowed: allowed.map(\.word)))
        }
    }

    /// Reads the file, changes it and saves it, alone among all programs that do.
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
