import CSynthEngine

// Each struct starts zeroed and its fields are set by name, because an appended field would break calls of the
// memberwise initializer.

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

extension synth_role {
    init(_ role: FileRole) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        scope = (role.scope == .model ? SYNTH_SCOPE_MODEL : SYNTH_SCOPE_VOICE).rawValue
        flags = (role.isOptional ? SYNTH_ROLE_OPTIONAL.rawValue : 0) | (role.isFolder ? SYNTH_ROLE_FOLDER.rawValue : 0)
        name = PermanentCopy(role.name).pointer
    }
}

extension synth_need {
    init(_ need: EngineNeed) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        let (kind, path): (synth_need_kind, String?) =
            switch need.kind {
            case .network: (SYNTH_NEED_NETWORK, nil)
            case .executableMemory: (SYNTH_NEED_EXECUTABLE_MEMORY, nil)
            case .device(let path): (SYNTH_NEED_DEVICE, path)
            case .folder(let path): (SYNTH_NEED_FOLDER, path)
            }
        self.kind = kind.rawValue
        self.path = path.map { PermanentCopy($0).pointer }
        reason = PermanentCopy(need.reason).pointer
    }
}

extension synth_source {
    init(_ source: FileSource) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        role = PermanentCopy(source.role).pointer
        url = PermanentCopy(source.url).pointer
        sha256 = PermanentCopy(source.sha256).pointer
        size = source.size
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

/// Memory that is never changed and never freed, so any thread may keep its address.
struct PermanentCopy<Pointee>: Sendable {
    nonisolated(unsafe) let pointer: UnsafePointer<Pointee>

    init(_ pointer: UnsafePointer<Pointee>) { self.pointer = pointer }

    /// Copies the value to new memory.
    init(_ value: Pointee) { self.init([value]) }

    /// Copies the values to new memory, one after the other.
    init(_ values: [Pointee]) {
        let memory = UnsafeMutablePointer<Pointee>.allocate(capacity: max(values.count, 1))
        memory.initialize(from: values, count: values.count)
        pointer = UnsafePointer(memory)
    }
}

extension PermanentCopy<CChar> {
    init(_ string: String) { self.init(Array(string.utf8CString)) }
}
