import EngineChecks
import EngineLoading
import EngineWire
import System

/// The engine that is checked, and the job of the check.
final class Subject {
    let job: CheckJob
    let surroundings: Surroundings
    private let sender: FindingSender

    init(_ job: CheckJob, sender: FindingSender, surroundings: Surroundings) {
        self.job = job
        self.sender = sender
        self.surroundings = surroundings
    }

    /// What happens next, as the end of a sentence after "while".
    func doing(_ what: String) { sender.send(.doing(what)) }

    func introduce(_ engine: EngineIdentity) { sender.send(.engine(engine)) }

    func library() throws(CheckFinding) -> EngineLibrary {
        doing("the file was loaded")
        do {
            return try EngineLibrary(path: job.file)
        } catch {
            throw .skipped(error)
        }
    }

    /// Writes a file into the folder of the check.
    func write(_ bytes: [UInt8], to name: String) throws(CheckFinding) -> String {
        let path = "\(surroundings.own)/\(name)"
        do {
            try replaceFile(path, with: bytes)
            return path
        } catch {
            throw .skipped("The check could not write \(path): \(error).")
        }
    }
}
