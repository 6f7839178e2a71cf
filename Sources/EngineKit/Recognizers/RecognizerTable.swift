import CSynthEngine

// The functions in the C table. C functions cannot capture context: they find their state through their pointer arguments or
// in `InstalledRecognizer`.

private typealias Model = LoadedModel<any ListeningModel>
private typealias Lane = OpenLane<any ListeningLane>

func recognizerRole(_ index: UInt32) -> UnsafePointer<synth_role>? {
    InstalledRecognizer.current?.parts.role(index)
}

func recognizerVariable(_ index: UInt32) -> UnsafePointer<CChar>? {
    InstalledRecognizer.current?.parts.variable(index)
}

func recognizerNeed(_ index: UInt32) -> UnsafePointer<synth_need>? {
    InstalledRecognizer.current?.parts.need(index)
}

func recognizerModel(_ index: UInt32) -> UnsafePointer<synth_recognizer_model>? {
    let list = ModelList.shared
    return index < list.count ? list.models.pointer + Int(index) : nil
}

func recognizerLoad(
    _ load: UnsafePointer<synth_load>?, _ model: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<synth_error>?
) -> synth_status {
    reporting(to: error, InstalledRecognizer.current?.parts) {
        guard let load, let model, let installed = InstalledRecognizer.current else { throw EngineError.misuse }
        model.pointee = Model(try installed.recognizer.load(ModelFiles(synth_load_known(load)))).handle()
    }
}

func recognizerOpen(
    _ model: OpaquePointer?, _ lane: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<synth_error>?
) -> synth_status {
    reporting(to: error, InstalledRecognizer.current?.parts) {
        guard let model, let lane else { throw EngineError.misuse }
        lane.pointee = Lane(try Model.of(model).model.open()).handle()
    }
}

func recognizerRecognize(
    _ lane: OpaquePointer?, _ recognition: UnsafePointer<synth_recognition>?, _ sound: UnsafePointer<synth_sound>?,
    _ hearing: UnsafePointer<synth_hearing>?, _ error: UnsafeMutablePointer<synth_error>?
) -> synth_status {
    reporting(to: error, InstalledRecognizer.current?.parts) {
        guard let lane, let recognition, let sound, let hearing, let installed = InstalledRecognizer.current else {
            throw EngineError.misuse
        }
        let open = Lane.of(lane)
        let raw = synth_recognition_known(recognition)
        let request = RecognitionRequest(raw, of: installed.description)
        let state = RecognitionState(
            synth_sound_known(sound), synth_hearing_known(hearing), request, serial: raw.serial,
            cancellation: open.cancellation)
        guard !state.isOver else { throw Stopped() }
        do {
            try open.lane.recognize(request, from: SoundInput(state), to: RecognitionOutput(state))
        } catch {
            throw state.isOver ? Stopped() : error
        }
        if state.isOver { throw Stopped() }
    }
}

func recognizerCancel(_ lane: OpaquePointer?, _ serial: UInt64) {
    guard let lane else { return }
    Lane.of(lane).cancellation.cancel(serial)
}

func recognizerClose(_ lane: OpaquePointer?) {
    if let lane { Lane.release(lane) }
}

func recognizerUnload(_ model: OpaquePointer?) {
    if let model { Model.release(model) }
}
