import SynthCatalogue
import SynthEngineProcesses
package import SynthEngineWire
import SynthJSON
import SynthModelStore
package import SynthSpeech
import SynthSystem

extension LocalHost {
    /// The path of the permissions file, which need not exist.
    package var permissionsPath: String { EnginePermissions.path(beside: configuration.path) }

    /// Why the permissions cannot be read, or nil if they can. Until they can be read, no engine has any additional
    /// permissions.
    package var permissionsProblem: SpeechError? {
        do {
            _ = try EnginePermissions(path: permissionsPath)
            return nil
        } catch {
            return error
        }
    }

    /// The permissions granted to an engine's file. Blocks while the file is read, unless no engine has any permission.
    func allowed(_ plugin: PluginFile) -> [EngineNeed.Kind] {
        guard let engine = plugin.engine else { return [] }
        return allowed(.engine, engine.id, at: plugin.path, engine.needs, engine.variables)
    }

    func allowed(_ recognizer: RecognizerDescription, at path: String) -> [EngineNeed.Kind] {
        allowed(.recognizer, recognizer.id, at: path, recognizer.needs, recognizer.variables)
    }

    private func allowed(
        _ kind: PluginKind, _ id: String, at path: String, _ needs: [EngineNeed], _ variables: [String]
    ) -> [EngineNeed.Kind] {
        let requested = needs.map(\.kind) + variables.map { .variable($0) }
        guard !requested.isEmpty else { return [] }
        let allowed = allowed(of: path, as: kind) { $0.knows(id) }
        return requested.filter(allowed.contains)
    }

    /// The permissions granted to a file of any kind. Blocks while the file is read, unless no engine has any
    /// permission.
    package func allowed(ofFile path: String) -> [EngineNeed.Kind] { allowed(of: path) { !$0.isEmpty } }

    private func allowed(
        of path: String, as kind: PluginKind? = nil, if mayHold: (EnginePermissions) -> Bool
    ) -> [EngineNeed.Kind] {
        guard let permissions = try? EnginePermissions(path: permissionsPath), mayHold(permissions),
            let digest = try? store.digest(ofGiven: path)
        else { return [] }
        return permissions.allowed(digest.hexadecimal, as: kind)
    }

    /// Replaces the permissions of an engine's or recognizer's file. Blocks while the file is read.
    package func allow(
        _ permissions: [PluginRequests.Need], to plugin: PluginRequests
    ) throws(SpeechError) {
        let digest: Digest?
        do { digest = try store.digest(ofGiven: plugin.path) } catch { throw SpeechError(error) }
        guard let digest else { throw SpeechError(StoreError.changedWhileRead(path: plugin.path)) }
        try EnginePermissions.change(permissionsPath) {
            $0.set(permissions.map(\.kind), for: digest.hexadecimal, of: plugin.kind, plugin.id)
        }
    }
}

/// The additional permissions that the user has granted to engines, stored in a file next to the configuration. Each
/// grant contains the digest of the engine's file, so it does not apply if the file is modified.
struct EnginePermissions: Codable, Equatable {
    private struct Grant: Codable, Equatable {
        /// The engine's ID, for users who read the file.
        var engine: String
        /// The raw value of a `PluginKind`, which is stored because an engine and a recognizer may have the same ID.
        /// nil if an earlier version wrote the grant.
        var kind: String?
        /// The hexadecimal digest of the engine's file.
        var sha256: String
        /// The granted permissions, as values of `EngineNeed.Kind.word`.
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
            throw .configurationUnreadable(file: path, reason: "it is not a permissions file")
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

    /// Sets a file's permissions and revokes the permissions of other files of the same engine or recognizer.
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
