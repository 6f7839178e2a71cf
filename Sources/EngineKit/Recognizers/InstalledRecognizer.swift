import CSynthEngine
import Synchronization

/// The recognizer in this shared object. The C functions without a pointer argument find their recognizer here.
struct InstalledRecognizer: Sendable {
    let recognizer: any RecognizerPlugin.Type
    let description: RecognizerDescription
    let table: PermanentCopy<synth_recognizer>
    let parts: PluginParts

    private static let installed = Mutex<InstalledRecognizer?>(nil)

    static var current: InstalledRecognizer? { installed.withLock { $0 } }

    /// Installs the recognizer on the first call. A later call returns the installed recognizer, or nil if another
    /// recognizer is installed.
    static func install(_ recognizer: any RecognizerPlugin.Type, host: EngineHost?) -> InstalledRecognizer? {
        installed.withLock { installed in
            if let installed { return installed.recognizer == recognizer ? installed : nil }
            let description = recognizer.description
            EngineLog.use(host)
            let made = InstalledRecognizer(
                recognizer: recognizer, description: description,
                table: PermanentCopy(synth_recognizer(description)),
                parts: PluginParts(
                    roles: description.roles, variables: description.variables, needs: description.needs))
            installed = made
            return made
        }
    }
}

extension RecognizerPlugin {
    /// Returns the recognizer's C table, valid until exit; nil if the host requests another ABI, or if this shared
    /// object has already installed another recognizer.
    public static func table(abi: UInt32, host: EngineHost?) -> RecognizerTable? {
        guard abi == UInt32(SYNTH_RECOGNIZER_ABI) else { return nil }
        return InstalledRecognizer.install(Self.self, host: host)?.table.pointer
    }
}

/// The installed recognizer's models as C structs, created on first use.
struct ModelList: Sendable {
    let models: PermanentCopy<synth_recognizer_model>
    let count: Int

    static let shared = ModelList()

    private init() {
        var structs: [synth_recognizer_model] = []
        if let installed = InstalledRecognizer.current {
            do {
                structs = try installed.recognizer.models().map {
                    synth_recognizer_model($0, of: installed.description)
                }
            } catch {
                EngineLog.warning("The models cannot be listed: \(error)")
            }
        }
        count = structs.count
        models = PermanentCopy(structs)
    }
}

// The initializer zeroes the struct and sets fields by name, as in `PluginParts.swift`.

extension synth_recognizer {
    init(_ description: RecognizerDescription) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        abi = UInt32(SYNTH_RECOGNIZER_ABI)
        id = PermanentCopy(description.id).pointer
        name = PermanentCopy(description.name).pointer
        version = PermanentCopy(description.version).pointer
        licence = PermanentCopy(description.licence).pointer
        url = description.url.map { PermanentCopy($0).pointer }
        capabilities = description.capabilities.rawValue
        max_lanes = UInt32(clamping: description.maximumLanes)
        sample_rate = UInt32(clamping: description.sampleRate)
        // 0 would mean no limit.
        max_seconds = description.longestSound.map { UInt32(clamping: max($0.components.seconds, 1)) } ?? 0
        role = recognizerRole
        model = recognizerModel
        load = recognizerLoad
        open = recognizerOpen
        recognize = recognizerRecognize
        cancel = recognizerCancel
        close = recognizerClose
        unload = recognizerUnload
        variable = recognizerVariable
        need = recognizerNeed
    }
}

extension synth_recognizer_model {
    init(_ model: RecognizerModel, of recognizer: RecognizerDescription) {
        self.init()
        struct_size = UInt32(MemoryLayout<Self>.size)
        capabilities = (model.capabilities ?? recognizer.capabilities).rawValue
        id = PermanentCopy(model.id).pointer
        name = PermanentCopy(model.name).pointer
        licence = model.licence.map { PermanentCopy($0).pointer }
        if !model.languages.isEmpty {
            languages = PermanentCopy(model.languages.map { UnsafePointer?(PermanentCopy($0).pointer) }).pointer
            language_count = model.languages.count
        }
        guard !model.sources.isEmpty else { return }
        sources = PermanentCopy(model.sources.map { UnsafePointer?(PermanentCopy(synth_source($0)).pointer) }).pointer
        source_count = model.sources.count
    }
}
