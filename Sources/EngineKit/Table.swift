import CSynthEngine

// The functions of the C table. C functions capture nothing: they find their state by their pointers or in
// `InstalledEngine`.

func tableRole(_ index: UInt32) -> UnsafePointer<synth_role>? {
    guard let installed = InstalledEngine.current, index < installed.description.roles.count else { return nil }
    return installed.roles.pointer + Int(index)
}

func tableVariable(_ index: UInt32) -> UnsafePointer<CChar>? {
    guard let installed = InstalledEngine.current, index < installed.description.variables.count else { return nil }
    return installed.variables.pointer[Int(index)]
}

func tableNeed(_ index: UInt32) -> UnsafePointer<synth_need>? {
    guard let installed = InstalledEngine.current, index < installed.description.needs.count else { return nil }
    return installed.needs.pointer + Int(index)
}

func tableVoice(_ index: UInt32) -> UnsafePointer<synth_voice>? {
    let list = VoiceList.shared
    return index < list.count ? list.voices.pointer + Int(index) : nil
}

func tableLoad(
    _ load: UnsafePointer<synth_load>?, _ model: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<synth_error>?
) -> synth_status {
    reporting(to: error) {
        guard let load, let model, let installed = InstalledEngine.current else { throw EngineError.misuse }
        let box = ModelBox(try installed.engine.load(ModelFiles(synth_load_known(load))))
        model.pointee = OpaquePointer(Unmanaged.passRetained(box).toOpaque())
    }
}

func tableOpen(
    _ model: OpaquePointer?, _ lane: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<synth_error>?
) -> synth_status {
    reporting(to: error) {
        guard let model, let lane else { throw EngineError.misuse }
        let box = LaneBox(try unboxed(model, as: ModelBox.self).model.open())
        lane.pointee = OpaquePointer(Unmanaged.passRetained(box).toOpaque())
    }
}

func tableSynthesize(
    _ lane: OpaquePointer?, _ request: UnsafePointer<synth_request>?, _ sink: UnsafePointer<synth_sink>?,
    _ error: UnsafeMutablePointer<synth_error>?
) -> synth_status {
    reporting(to: error) {
        guard let lane, let request, let sink, let installed = InstalledEngine.current else { throw EngineError.misuse }
        let box = unboxed(lane, as: LaneBox.self)
        let raw = synth_request_known(request)
        let wants = EventKinds(rawValue: raw.wants)
        let state = OutputState(
            synth_sink_known(sink), cancellation: box.cancellation, serial: raw.serial, wants: wants)
        guard !state.isCancelled else { throw Stopped() }
        do {
            try box.lane.speak(SpeechRequest(raw, of: installed.description), to: SpeechOutput(state))
        } catch {
            throw state.isStopped || state.isCancelled ? Stopped() : error
        }
        if state.isStopped || state.isCancelled { throw Stopped() }
    }
}

func tableCancel(_ lane: OpaquePointer?, _ serial: UInt64) {
    guard let lane else { return }
    unboxed(lane, as: LaneBox.self).cancellation.cancel(serial)
}

func tableClose(_ lane: OpaquePointer?) {
    if let lane { Unmanaged<LaneBox>.fromOpaque(UnsafeRawPointer(lane)).release() }
}

func tableUnload(_ model: OpaquePointer?) {
    if let model { Unmanaged<ModelBox>.fromOpaque(UnsafeRawPointer(model)).release() }
}

private func unboxed<Box: AnyObject>(_ pointer: OpaquePointer, as _: Box.Type) -> Box {
    Unmanaged<Box>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
}

/// What a `synth_model` pointer names.
final class ModelBox: Sendable {
    let model: any SpeechModel

    init(_ model: any SpeechModel) { self.model = model }
}

/// What a `synth_lane` pointer names. `lane` belongs to the thread that synthesizes.
final class LaneBox {
    var lane: any SpeechLane
    let cancellation = Cancellation()

    init(_ lane: any SpeechLane) { self.lane = lane }
}

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
        let role = error.role.flatMap { InstalledEngine.current?.roleName($0) }
        if destination.pointee.message == nil { destination.pointee.capacity = 0 }
        return synth_fail(destination, error.code, role, error.message)
    }
}
