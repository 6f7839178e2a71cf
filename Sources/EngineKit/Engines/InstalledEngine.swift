import CSynthEngine
import Synchronization

/// The engine in this shared object. The C functions without a pointer argument find their engine here.
struct InstalledEngine: Sendable {
    let engine: any EnginePlugin.Type
    let description: EngineDescription
    let table: PermanentCopy<synth_engine>
    let parts: PluginParts

    private static let installed = Mutex<InstalledEngine?>(nil)

    static var current: InstalledEngine? { installed.withLock { $0 } }

    /// Installs the engine on the first call. A later call returns the installed engine, or nil if another engine is
    /// installed.
    static func install(_ engine: any EnginePlugin.Type, host: EngineHost?) -> InstalledEngine? {
        installed.withLock { installed in
            if let installed { return installed.engine == engine ? installed : nil }
            let description = engine.description
            EngineLog.use(host)
            let made = InstalledEngine(
                engine: engine, description: description, table: PermanentCopy(synth_engine(description)),
                parts: PluginParts(
                    roles: description.roles, variables: description.variables, needs: description.needs))
            installed = made
            return made
        }
    }
}

extension EnginePlugin {
    /// Returns the engine's C table, valid until exit; nil if the host requests another ABI, or if this shared object
    /// has already installed another engine.
    public static func table(abi: UInt32, host: EngineHost?) -> EngineTable? {
        guard abi == UInt32(SYNTH_ABI) else { return nil }
        return InstalledEngine.install(Self.self, host: host)?.table.pointer
    }
}

/// The installed engine's voices as C structs, created on first use.
struct DeclaredVoices: Sendable {
    let voices: PermanentCopy<synth_voice>
    let count: Int

    static let shared = DeclaredVoices()

    private init() {
        var structs: [synth_voice] = []
        do {
            let voices = try InstalledEngine.current?.engine.voices() ?? []
            structs.reserveCapacity(voices.count)
            var names: [String] = []
            var shared: PermanentCopy<UnsafePointer<CChar>?>?
            for voice in voices {
                if voice.speakers != names {
                    names = voice.speakers
                    shared = PermanentCopy(names.map { UnsafePointer?(PermanentCopy($0).pointer) })
                }
                structs.append(synth_voice(voice, speakers: voice.speakers.isEmpty ? nil : shared))
            }
        } catch {
            EngineLog.warning("The voices cannot be listed: \(error)")
        }
        count = structs.count
        voices = PermanentCopy(structs)
    }
}

// The initializer zeroes the struct and sets fields by name, as in `PluginParts.swift`.

extension synth_engine {
    init(_ description: EngineDescription) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        abi = UInt32(SYNTH_ABI)
        id = PermanentCopy(description.id).pointer
        name = PermanentCopy(description.name).pointer
        version = PermanentCopy(description.version).pointer
        licence = PermanentCopy(description.licence).pointer
        url = description.url.map { PermanentCopy($0).pointer }
        capabilities = description.capabilities.rawValue
        max_lanes = UInt32(clamping: description.maximumLanes)
        rate_min = description.rates.lowerBound
        rate_max = description.rates.upperBound
        pitch_min = description.pitches.lowerBound
        pitch_max = description.pitches.upperBound
        role = tableRole
        voice = tableVoice
        load = tableLoad
        open = tableOpen
        synthesize = tableSynthesize
        cancel = tableCancel
        close = tableClose
        unload = tableUnload
        variable = tableVariable
        need = tableNeed
    }
}

extension synth_voice {
    init(_ voice: EngineVoice, speakers shared: PermanentCopy<UnsafePointer<CChar>?>?) {
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
        licence = voice.licence.map { PermanentCopy($0).pointer }
        model = voice.model.map { PermanentCopy($0).pointer }
        speakers = shared?.pointer
        speaker_count = voice.speakers.count
        guard !voice.sources.isEmpty else { return }
        sources = PermanentCopy(voice.sources.map { UnsafePointer?(PermanentCopy(synth_source($0)).pointer) }).pointer
        source_count = voice.sources.count
    }
}
