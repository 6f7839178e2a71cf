import EngineProcesses
package import EngineWire
import ModelStore
package import Synthesis
import System
import VoiceCatalogue

extension LocalHost {
    /// What this user allows engines, whether the file is there or not.
    package var permissionsPath: String { EnginePermissions.path(beside: configuration.path) }

    /// Why what was allowed cannot be read, so that nothing is; nil = it can.
    package var permissionsProblem: ConfigurationError? {
        do {
            _ = try EnginePermissions(path: permissionsPath)
            return nil
        } catch {
            return error
        }
    }

    /// Which of the needs of an engine's file this user allows. Blocks while the file is read, if anything is allowed to that engine.
    func allowed(_ plugin: PluginFile) -> [EngineNeed.Kind] {
        guard let engine = plugin.engine, !engine.needs.isEmpty else { return [] }
        let allowed = allowed(of: plugin.path) { $0.knows(engine.id) }
        return engine.needs.map(\.kind).filter(allowed.contains)
    }

    /// What this user allows to a file, whatever it is. Blocks while the file is read, if anything is allowed to any engine.
    package func allowed(ofFile path: String) -> [EngineNeed.Kind] { allowed(of: path) { !$0.isEmpty } }

    private func allowed(of path: String, if mayHold: (EnginePermissions) -> Bool) -> [EngineNeed.Kind] {
        guard let permissions = try? EnginePermissions(path: permissionsPath), mayHold(permissions),
            let digest = try? store.digest(ofGiven: path)
        else { return [] }
        return permissions.allowed(digest.hexadecimal)
    }

    /// Allows an engine's file some of its needs, and no other of them. Blocks while the file is read.
    package func allow(_ needs: [EngineListing.Need], to engine: EngineListing) throws(LibraryProblem) {
        let needs = needs.map(\.kind)
        guard let id = engine.engine?.id else { return }
        let digest: Digest?
        do { digest = try store.digest(ofGiven: engine.path) } catch { throw .store(error) }
        guard let digest else { throw .store(.changedWhileRead(path: engine.path)) }
        do {
            try EnginePermissions.change(permissionsPath) { $0.set(needs, for: digest.hexadecimal, of: id) }
        } catch {
            throw .configuration(error)
        }
    }
}
