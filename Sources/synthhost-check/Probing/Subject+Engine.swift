import CSynthEngine
import EngineChecks
import EngineLoading
import EngineWire

extension Subject {
    /// The engine with its table, ready to load.
    func engine(host: UnsafePointer<synth_host> = ProbeHost.pointer) throws(CheckFinding) -> LoadedEngine {
        let library = try library()
        doing("synth_engine_entry ran")
        do {
            let answer = library.table(abi: UInt32(SYNTH_ABI), host: host)
            let engine = LoadedEngine(try EngineTable(answer: answer), self)
            introduce(engine.identity)
            return engine
        } catch {
            throw .skipped(error)
        }
    }
}
