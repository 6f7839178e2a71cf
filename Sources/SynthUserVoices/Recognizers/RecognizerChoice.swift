package import SynthCatalogue
import SynthEngineProcesses
package import SynthEngineWire
package import SynthModelStore
import SynthSpeech
package import SynthSystem

/// An installed recognizer with one of its models, whose files may have to be downloaded.
package struct RecognizerChoice: Sendable {
    /// The availability of the model's files.
    package enum State: Equatable, Sendable {
        case builtIn
        case ready([HandedFile])
        /// The files must be downloaded. `because` is set if they are damaged or incomplete.
        case notDownloaded(because: String?)

        package var canListen: Bool { if case .notDownloaded = self { false } else { true } }
    }

    let recognizer: RecognizerDescription
    let file: String
    package let model: RecognizerModelEntry
    package let state: State
    /// The supported languages (BCP 47). Empty if they are unknown.
    package var languages: [String] { model.languages }

    package var recognizerID: String { recognizer.id }

    package var capabilities: RecognizerDescription.Capabilities { recognizer.capabilities }

    /// Whether the recognizer transcribes. Otherwise it only detects speech.
    package var transcribes: Bool { capabilities.contains(.transcribes) }

    /// Whether the recognizer can translate other languages into English.
    package var translates: Bool { capabilities.contains(.translates) }

    /// Whether the recognizer is an example or a test that does not actually recognize speech.
    package var isExample: Bool { capabilities.contains(.isExample) }

    /// The input sample rate in hertz.
    package var rate: UInt32 { recognizer.sampleRate }

    /// The maximum duration in seconds of the chunks into which long audio is split: 28 unless the recognizer has a
    /// lower limit.
    package var longestPiece: Double { recognizer.longest == 0 ? 28 : min(28, Double(recognizer.longest)) }

    /// The number of chunks to process in parallel. Additional chunks would compete for the same processors. A detector
    /// may have more lanes because it uses little CPU time and may occupy a lane for hours.
    package var lanes: Int {
        let most: UInt32 = transcribes ? 2 : 64
        return Int(recognizer.maxLanes == 0 ? most : min(most, recognizer.maxLanes))
    }

    /// Returns a copy of the choice whose model supports these languages.
    func understanding(_ languages: [String]) -> RecognizerChoice {
        var model = model
        model.languages = languages
        return RecognizerChoice(recognizer: recognizer, file: file, model: model, state: state)
    }

    package func isSame(as other: RecognizerChoice?) -> Bool {
        other.map { $0.recognizer.id == recognizer.id && $0.model.folder == model.folder } ?? false
    }
}

extension HostSnapshot {
    /// Returns the models of all installed recognizers: ready models first, and otherwise in order of recommendation.
    package func recognizerChoices() throws(SpeechError) -> [RecognizerChoice] {
        try recognizerChoices { $0.contains(.transcribes) }
    }

    /// Returns the models of all installed voice activity detectors: ready models first, and otherwise in order of
    /// recommendation.
    package func detectors() throws(SpeechError) -> [RecognizerChoice] {
        try recognizerChoices(\.onlyDetects)
    }

    /// Returns a ready voice activity detector for this sample rate, or nil if none is installed.
    package func detector(rate: UInt32) -> RecognizerChoice? {
        (try? detectors())?.first {
            $0.rate == rate && $0.state.canListen && !$0.capabilities.contains(.isExample)
        }
    }

    private func recognizerChoices(
        _ isMeant: (RecognizerDescription.Capabilities) -> Bool
    ) throws(SpeechError) -> [RecognizerChoice] {
        let registry = try rethrowing(self.registry(), as: RegistryError.asSpeechError)
        let installed = host.store.installedRecognizerModels()
        var choices: [RecognizerChoice] = []
        for file in recognizers {
            guard let recognizer = file.description, isMeant(recognizer.capabilities) else { continue }
            // Ignore invalid model declarations.
            let declared = recognizer.models.compactMap { try? RecognizerModelEntry($0, of: recognizer) }
            func add(_ model: RecognizerModelEntry, _ state: RecognizerChoice.State) {
                guard choices.allSatisfy({ $0.model.folder != model.folder || $0.recognizer.id != recognizer.id })
                else { return }
                choices.append(
                    RecognizerChoice(
                        recognizer: recognizer, file: file.path, model: model, state: state))
            }
            for model in declared where model.files.isEmpty { add(model, .builtIn) }
            for one in installed where one.model.recognizer == recognizer.id {
                let known = registry.recognizerModelEntries.first { $0.folder == one.model.folder } ?? one.model
                add(known, .ready(one.files.map { HandedFile(role: $0.role, path: $0.path) }))
            }
            for model in registry.recognizerModelEntries + declared where model.recognizer == recognizer.id {
                var reason: String?
                if case .notDownloaded(let why) = host.store.state(of: model) { reason = why }
                add(model, .notDownloaded(because: reason))
            }
        }
        return choices.enumerated().sorted { first, second in
            func key(_ position: (offset: Int, element: RecognizerChoice)) -> (Int, Int, Int) {
                (position.element.state.canListen ? 0 : 1, position.element.model.starter ?? .max, position.offset)
            }
            return key(first) < key(second)
        }.map(\.element)
    }

    /// Chooses the model for transcription.
    ///
    /// - Parameters:
    ///   - recognizer: the recognizer's ID, or nil for the configured recognizer or, failing that, the first suitable
    ///     recognizer.
    ///   - model: the model's ID or name, or nil for the configured model or, failing that, the first suitable model.
    ///   - language: the spoken language (BCP 47), or nil if it is unknown.
    /// - Throws: an error such as `recognizerMissing`, `modelUnknown` or `modelNotDownloaded` if no suitable model is
    ///   installed.
    package func chosenRecognizer(
        recognizer: String? = nil, model: String? = nil, language: String? = nil
    ) throws(SpeechError) -> RecognizerChoice {
        let choices = try recognizerChoices()
        let presets = host.presets
        let wanted = recognizer ?? (model == nil ? presets.recognizer : nil)
        if let wanted, choices.allSatisfy({ $0.recognizer.id != wanted }) {
            throw absence(of: wanted, choices)
        }
        // An example recognizer is used only if requested by name.
        var suitable = choices.filter { choice in
            wanted.map { choice.recognizer.id == $0 }
                ?? (model != nil || !choice.recognizer.capabilities.contains(.isExample))
        }
        guard let first = suitable.first else {
            // If a known recognizer is installed but fails to load, report that error.
            let known = Set((try? registry())?.recognizerModelEntries.map(\.recognizer) ?? [])
            for id in known.sorted() {
                let absence = absence(of: id, choices)
                if absence.code != .recognizerUnknown { throw absence }
            }
            throw .recognizerMissing(folder: host.folders.plugins)
        }
        if let name = model ?? presets.recognizerModels[first.recognizer.id] {
            let named = suitable.filter { $0.model.id == name || $0.model.name.lowercased() == name.lowercased() }
            guard !named.isEmpty else {
                throw .unknownModel(name, known: suitable.map(\.model.id))
            }
            suitable = named.filter { choice in language.map(choice.model.understands) ?? true }
            if suitable.isEmpty, let language {
                throw .modelOfOtherLanguage(named[0].model, language)
            }
        } else if let language {
            suitable = suitable.filter { $0.model.understands(language) }
        }
        if let ready = suitable.first(where: \.state.canListen) { return ready }
        guard let proposed = suitable.first, case .notDownloaded(let reason) = proposed.state else {
            throw .noModel(language: language)
        }
        throw .modelNotDownloaded(proposed.model, because: reason)
    }

    /// Returns the languages (BCP 47) of all models that a recognizer declares or the registry lists for it.
    func languages(of recognizer: RecognizerDescription) throws(SpeechError) -> [String] {
        let registry = try rethrowing(self.registry(), as: RegistryError.asSpeechError)
        let listed = registry.recognizerModelEntries.filter { $0.recognizer == recognizer.id }
        let declared = recognizer.models.compactMap { try? RecognizerModelEntry($0, of: recognizer) }
        var seen: Set<String> = []
        return (declared + listed).flatMap(\.languages).filter { seen.insert($0).inserted }
    }

    /// Downloads a model, reusing any data from an interrupted download.
    package func download(_ model: RecognizerModelEntry, on executor: (any TaskExecutor)? = nil) -> VoiceDownload {
        VoiceDownload([model], store: host.store, on: executor)
    }

    /// Downloads several models as one download.
    package func download(_ models: [RecognizerModelEntry]) -> VoiceDownload {
        VoiceDownload(models, store: host.store)
    }

    /// The recognizer models whose files are installed.
    package var installedRecognizerModels: [RecognizerModelEntry] {
        host.store.installedRecognizerModels().map(\.model)
    }

    /// Removes a model's files.
    package func remove(_ model: RecognizerModelEntry) throws(SpeechError) -> StoreRemoval {
        do { return try host.store.remove(model) } catch { throw SpeechError(error) }
    }

    private func absence(of id: String, _ choices: [RecognizerChoice]) -> SpeechError {
        for file in recognizers {
            let plugin = PluginFile(path: file.path, verdict: .recognizer)
            if case .failure(let failure) = file.verdict, plugin.isNamed(after: id) {
                return SpeechError(recognizer: failure)
            }
        }
        let detects = recognizers.contains { file in
            file.description.map { $0.id == id && $0.capabilities.onlyDetects } ?? false
        }
        if detects { return .recognizerOnlyDetects(id) }
        var known: [String] = []
        for choice in choices where !known.contains(choice.recognizer.id) { known.append(choice.recognizer.id) }
        return .unknownRecognizer(id, known: known)
    }
}

extension RecognizerDescription.Capabilities {
    fileprivate var onlyDetects: Bool { contains(.detectsSpeech) && !contains(.transcribes) }
}

extension RecognizerModelEntry {
    init(_ model: RecognizerModel, of recognizer: RecognizerDescription) throws(RegistryError) {
        try self.init(
            id: model.id, name: model.name, languages: model.languages,
            license: model.license ?? recognizer.license,
            files: model.sources.map {
                DeclaredVoice.File(role: $0.role, isShared: false, url: $0.url, sha256: $0.sha256, size: $0.size)
            }, by: recognizer.id)
    }
}
