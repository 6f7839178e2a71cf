import CSynthEngine
import EngineLoading
import EngineWire

extension ErrorBuffer {
    /// What the host is told of a call that failed.
    borrowing func answer(to status: synth_status) -> EngineError {
        error(of: status)
            ?? EngineError(.violatedContract, "It returned the status \(status.rawValue), which does not exist.")
    }
}
