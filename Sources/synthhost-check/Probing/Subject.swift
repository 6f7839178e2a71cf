import CSynthEngine
import EngineChecks
import EngineLoading
import EngineWire
import System

/// The engine that a check is about, and what was handed over for it.
final class Subject {
    let job: CheckJob
    let surroundings: Surroundings
    private let outlet: FindingOutlet

    init(_ job: CheckJob, outlet: FindingOutlet, surroundings: Surroundings) {
        self.job = job
        self.outlet = outlet
        self.surroundings = surroundings
    }

    /// What comes next, to be read behind "while".
    func doing(_ what: String) { outlet.send(.doing(what)) }

    func library() throws(CheckFinding) -> EngineLibrary {
        doing("the file was loaded")
        do {
            return try EngineLibrary(path: job.file)
        } catch {
            throw .skipped("It \(error.reason).")
        }
    }

    /// The engine with its table, ready to load.
    func engine(host: UnsafePointer<synth_host> = ProbeHost.pointer) throws(CheckFinding) -> LoadedEngine {
        let library = try library()
        doing("synth_engine_entry ran")
        do {
            let answer = library.table(abi: UInt32(SYNTH_ABI), host: host)
            let engine = LoadedEngine(try EngineTable(answer: answer), self)
            introduce(engine)
            return engine
        } catch {
            throw .skipped("It \(error.reason).")
        }
    }

    func introduce(_ engine: LoadedEngine) { outlet.send(.engine(engine.identity)) }

    /// A file of the check's own.
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
