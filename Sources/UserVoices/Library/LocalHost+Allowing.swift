import EngineWire
import ModelStore
import Synthesis
import VoiceCatalogue

extension LocalHost {
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
