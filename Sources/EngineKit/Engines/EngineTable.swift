import CSynthEngine

// The functions in the C table. C functions cannot capture context, so they find their state through their pointer
// arguments or in `engineSlot`.

private typealias Lane = OpenLane<any SpeechLane>

private let engineSlot = PluginSlot<EngineDescription, synth_engine, synth_voice, any SpeechLane>()

/// The voices, created on first use.
private let declaredVoices = PermanentList("voices") { try engineSlot.current?.items() ?? [] }

extension EnginePlugin {
    /// Returns the engine's C table, valid until exit; nil if the host requests a different ABI or if this shared
    /// object has already installed a different engine.
    public static func table(abi: UInt32, host: EngineHost?) -> EngineTable? {
        guard abi == UInt32(SYNTH_ABI) else { return nil }
        let type = ObjectIdentifier(Self.self)
        let installed = engineSlot.install(type, host: host) {
            let description = Self.description
            return InstalledPlugin(
                type: type, description: description, table: PermanentCopy(synth_engine(description)),
                parts: PluginParts(
                    roles: description.roles, variables: description.variables, needs: description.needs),
                items: { synth_voice.list(try Self.voices()) },
                load: { files in
                    let model = try Self.load(files)
                    return LoadedModel { try model.open() }
                })
        }
        return installed?.table.pointer
    }
}

private func tableSynthesize(
    _ lane: OpaquePointer?, _ request: UnsafePointer<synth_request>?, _ sink: UnsafePointer<synth_sink>?,
    _ error: UnsafeMutablePointer<synth_error>?
) -> synth_status {
    let current = engineSlot.current
    return reporting(to: error, current?.parts) {
        guard let lane, let request, let sink, let current else { throw EngineError.misuse }
        let open = Lane.of(lane)
        let raw = synth_request_known(request)
        let state = OutputState(
            synth_sink_known(sink), cancellation: open.cancellation, serial: raw.serial,
            wants: EventKinds(rawValue: raw.wants))
        try state.run {
            try open.lane.speak(SpeechRequest(raw, of: current.description), to: SpeechOutput(state))
        }
    }
}

// The initializer zeroes the struct and sets fields by name, as in `PluginParts.swift`.

extension synth_engine {
    fileprivate init(_ description: EngineDescription) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        abi = UInt32(SYNTH_ABI)
        id = PermanentCopy(description.id).pointer
        name = PermanentCopy(description.name).pointer
        version = PermanentCopy(description.version).pointer
        license = PermanentCopy(description.license).pointer
        url = description.url.map { PermanentCopy($0).pointer }
        capabilities = description.capabilities.rawValue
        max_lanes = UInt32(clamping: description.maximumLanes)
        rate_min = description.rates.lowerBound
        rate_max = description.rates.upperBound
        pitch_min = description.pitches.lowerBound
        pitch_max = description.pitches.upperBound
        role = { engineSlot.current?.parts.roles[$0] }
        voice = { declaredVoices[$0] }
        load = { engineSlot.load($0, $1, $2) }
        open = { engineSlot.open($0, $1, $2) }
        synthesize = tableSynthesize
        cancel = { Lane.cancel($0, $1) }
        close = { Lane.release($0) }
        unload = { LoadedModel<any SpeechLane>.release($0) }
        variable = { engineSlot.current?.parts.variables[$0]?.pointee }
        need = { engineSlot.current?.parts.needs[$0] }
    }
}

extension synth_voice {
    fileprivate static func list(_ voices: [EngineVoice]) -> [synth_voice] {
        var names: [String] = []
        var shared: PermanentCopy<UnsafePointer<CChar>?>?
        return voices.map { voice in
            if voice.speakers != names {
                names = voice.speakers
                shared = PermanentCopy(names.map { UnsafePointer?(PermanentCopy($0).pointer) })
            }
            return synth_voice(voice, speakers: voice.speakers.isEmpty ? nil : shared)
        }
    }

    private init(_ voice: EngineVoice, speakers shared: PermanentCopy<UnsafePointer<CChar>?>?) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        let gender =
            switch voice.gender {
            case .unsaid: SYNTH_UNSAID
            case .female: SYNTH_FEMALE
            case .male: SYNTH_MALE
            case .neutral: SYNTH_NEUTRAL
            }
        self.gender = gender.rawValue
        id = PermanentCopy(voice.id).pointer
        name = PermanentCopy(voice.name).pointer
        language = PermanentCopy(voice.language).pointer
        accent = voice.accent.map { PermanentCopy($0).pointer }
        license = voice.license.map { PermanentCopy($0).pointer }
        model = voice.model.map { PermanentCopy($0).pointer }
        speakers = shared?.pointer
        speaker_count = voice.speakers.count
        sources = synth_source.list(voice.sources)
        source_count = voice.sources.count
    }
}
