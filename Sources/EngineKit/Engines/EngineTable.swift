import CSynthEngine

// The functions in the C table. C functions cannot capture context: they find their state through their pointer arguments or
// in `InstalledEngine`.

private typealias Model = LoadedModel<any SpeechModel>
private typealias Lane = OpenLane<any SpeechLane>

func tableRole(_ index: UInt32) -> UnsafePointer<synth_role>? {
    InstalledEngine.current?.parts.role(index)
}

func tableVariable(_ index: UInt32) -> UnsafePointer<CChar>? {
    InstalledEngine.current?.parts.variable(index)
}

func tableNeed(_ index: UInt32) -> UnsafePointer<synth_need>? {
    InstalledEngine.current?.parts.need(index)
}

func tableVoice(_ index: UInt32) -> UnsafePointer<synth_voice>? {
    let list = DeclaredVoices.shared
    return index < list.count ? list.voices.pointer + Int(index) : nil
}

func tableLoad(
    _ load: UnsafePointer<synth_load>?, _ model: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<synth_error>?
) -> synth_status {
    reporting(to: error, InstalledEngine.current?.parts) {
        guard let load, let model, let installed = InstalledEngine.current else { throw EngineError.misuse }
        model.pointee = Model(try installed.engine.load(ModelFiles(synth_load_known(load)))).handle()
    }
}

func tableOpen(
    _ model: OpaquePointer?, _ lane: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<synth_error>?
) -> synth_status {
    reporting(to: error, InstalledEngine.current?.parts) {
        guard let model, let lane else { throw EngineError.misuse }
        lane.pointee = Lane(try Model.of(model).model.open()).handle()
    }
}

func tableSynthesize(
    _ lane: OpaquePointer?, _ request: UnsafePointer<synth_request>?, _ sink: UnsafePointer<synth_sink>?,
    _ error: UnsafeMutablePointer<synth_error>?
) -> synth_status {
    reporting(to: error, InstalledEngine.current?.parts) {
        guard let lane, let request, let sink, let installed = InstalledEngine.current else { throw EngineError.misuse }
        let box = Lane.of(lane)
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
    Lane.of(lane).cancellation.cancel(serial)
}

func tableClose(_ lane: OpaquePointer?) {
    if let lane { Lane.release(lane) }
}

func tableUnload(_ model: OpaquePointer?) {
    if let model { Model.release(model) }
}
