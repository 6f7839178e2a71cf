import SynthCatalogue
import SynthEngineProcesses
package import SynthEngineWire
import SynthModelStore
package import SynthSpeech
import SynthSystem

extension LocalHost {
    /// The path of the permissions file, which need not exist.
    package var permissionsPath: String { EnginePermissions.path(beside: configuration.path) }

    /// Why the permissions cannot be read, or nil if they can. While they cannot be read, no engine has any additional
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
