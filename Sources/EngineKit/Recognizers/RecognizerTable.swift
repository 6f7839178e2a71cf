import CSynthEngine

// The functions in the C table. C functions cannot capture context, so they find their state through their pointer
// arguments or in `recognizerSlot`.

private typealias Lane = OpenLane<any ListeningLane>

private let recognizerSlot = PluginSlot<
    RecognizerDescription, synth_recognizer, synth_recognizer_model, any ListeningLane
>()

/// The models, created on first use.
private let declaredModels = PermanentList("models") { try recognizerSlot.current?.items() ?? [] }

extension RecognizerPlugin {
    /// Returns the recognizer's C table, valid until exit; nil if the host requests a different ABI or if this shared
    /// object has already installed a different recognizer.
    public static func table(abi: UInt32, host: EngineHost?) -> RecognizerTable? {
        guard abi == UInt32(SYNTH_RECOGNIZER_ABI) else { return nil }
        let type = ObjectIdentifier(Self.self)
        let installed = recognizerSlot.install(type, host: host) {
            let description = Self.description
            return InstalledPlugin(
                type: type, description: description, table: PermanentCopy(synth_recognizer(description)),
                parts: PluginParts(
                    roles: description.roles, variables: description.variables, needs: description.needs),
                items: { try Self.models().map { synth_recognizer_model($0, of: description) } },
                load: { files in
                    let model = try Self.load(files)
                    return LoadedModel { try model.open() }
                })
        }
        return installed?.table.pointer
    }
}

private func recognizerRecognize(
    _ lane: OpaquePointer?, _ recognition: UnsafePointer<synth_recognition>?, _ sound: UnsafePointer<synth_sound>?,
    _ hearing: UnsafePointer<synth_hearing>?, _ error: UnsafeMutablePointer<synth_error>?
) -> synth_status {
    let current = recognizerSlot.current
    return reporting(to: error, current?.parts) {
        guard let lane, let recognition, let sound, let hearing, let current else { throw EngineError.misuse }
        let open = Lane.of(lane)
        let raw = synth_recognition_known(recognition)
        let request = RecognitionRequest(raw, of: current.description)
        let state = RecognitionState(
            synth_sound_known(sound), synth_hearing_known(hearing), request, serial: raw.serial,
            cancellation: open.cancellation)
        try state.run {
            try open.lane.recognize(request, from: SoundInput(state), to: RecognitionOutput(state))
        }
    }
}

// The initializer zeroes the struct and sets fields by name, as in `PluginParts.swift`.

extension synth_recognizer {
    fileprivate init(_ description: RecognizerDescription) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        abi = UInt32(SYNTH_RECOGNIZER_ABI)
        id = PermanentCopy(description.id).pointer
        name = PermanentCopy(description.name).pointer
        version = PermanentCopy(description.version).pointer
        license = PermanentCopy(description.license).pointer
        url = description.url.map { PermanentCopy($0).pointer }
        capabilities = description.capabilities.rawValue
        max_lanes = UInt32(clamping: description.maximumLanes)
        sample_rate = UInt32(clamping: description.sampleRate)
        // 0 would mean no limit.
        max_seconds = description.longestSound.map { UInt32(clamping: max($0.components.seconds, 1)) } ?? 0
        role = { recognizerSlot.current?.parts.roles[$0] }
        model = { declaredModels[$0] }
        load = { recognizerSlot.load($0, $1, $2) }
        open = { recognizerSlot.open($0, $1, $2) }
        recognize = recognizerRecognize
        cancel = { Lane.cancel($0, $1) }
        close = { Lane.release($0) }
        unload = { LoadedModel<any ListeningLane>.release($0) }
        variable = { recognizerSlot.current?.parts.variables[$0]?.pointee }
        need = { recognizerSlot.current?.parts.needs[$0] }
    }
}

extension synth_recognizer_model {
    fileprivate init(_ model: RecognizerModel, of recognizer: RecognizerDescription) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        capabilities = (model.capabilities ?? recognizer.capabilities).rawValue
        id = PermanentCopy(model.id).pointer
        name = PermanentCopy(model.name).pointer
        license = model.license.map { PermanentCopy($0).pointer }
        if !model.languages.isEmpty {
            languages = PermanentCopy(model.languages.map { UnsafePointer?(PermanentCopy($0).pointer) }).pointer
            language_count = model.languages.count
        }
        sources = synth_source.list(model.sources)
        source_count = model.sources.count
    }
}
