import CSynthEngine

extension EngineError {
    static let misuse = EngineError(.failed, "A pointer that the engine needs is NULL.")

    var code: synth_status {
        switch status {
        case .badRequest: SYNTH_BAD_REQUEST
        case .missingFile: SYNTH_MISSING_FILE
        case .badFile: SYNTH_BAD_FILE
        case .outOfMemory: SYNTH_NO_MEMORY
        case .failed: SYNTH_FAILED
        }
    }
}

/// Runs an engine's code and turns what it throws into a status and the caller's error struct.
func reporting(to destination: UnsafeMutablePointer<synth_error>?, _ body: () throws -> Void) -> synth_status {
    do {
        try body()
        return SYNTH_OK
    } catch is Stopped {
        return SYNTH_CANCELLED
    } catch {
        let error = error as? EngineError ?? EngineError(.failed, "\(error)")
        guard let destination, Int(destination.pointee.struct_size) >= MemoryLayout<synth_error>.size else {
            return error.code
        }
        let role = error.role.flatMap { Installation.current?.roleName($0) }
        if destination.pointee.message == nil { destination.pointee.capacity = 0 }
        return synth_fail(destination, error.code, role, error.message)
    }
}
