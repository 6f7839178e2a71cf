import EngineProcesses
import EngineWire
import ModelStore
import Synthesis
import System
import VoiceCatalogue

extension LocalHost {
    /// What this user allows engines, whether the file is there or not.
    package var permissionsPath: String { "\(LinkTarget.folder(of: configuration.path))/allowed.json" }

    /// Which of the needs of an engine's file this user allows. Blocks while the file is read, if anything is allowed to that engine.
    func allowed(_ plugin: PluginFile) -> [EngineNeed.Kind] {
        guard let engine = plugin.engine, !engine.needs.isEmpty,
            let permissions = try? EnginePermissions(path: permissionsPath), permissions.knows(engine.id),
            let digest = try? store.digest(ofGiven: plugin.path)
        else { return [] }
        let allowed = permissions.allowed(digest.hexadecimal)
        return engine.needs.map(\.kind).filter(allowed.contains)
    }

    /// Allows an engine's file some of its needs, and no other of them. Blocks while the file is read.
    package func allow(_ needs: [EngineListing.Need], to engine: EngineListing) throws(LibraryProblem) {
        let needs = needs.map(\.kind)
        guard let id = engine.engine?.id else { return }
        let digest: Digest?
        do throws(StoreError) { digest = try store.digest(ofGiven: engine.path) } catch { throw .store(error) }
        guard let digest else { throw .store(.changedWhileRead(path: engine.path)) }
        do throws(ConfigurationError) {
            try EnginePermissions.change(permissionsPath) { $0.set(needs, for: digest.hexadecimal, of: id) }
        } catch {
            throw .configuration(error)
        }
    }
}
