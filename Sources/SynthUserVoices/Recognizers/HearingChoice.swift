package import SynthCatalogue
import SynthEngineProcesses
package import SynthEngineWire
package import SynthModelStore
import SynthSpeech
package import SynthSystem

/// A recognizer that is here, with one of its models, downloaded or not.
package struct HearingChoice: Sendable {
    package enum State: Equatable, Sendable {
        case builtIn
        case ready([HandedFile])
        /// `because` is set if its files are damaged or incomplete.
        case notDownloaded(because: String?)

        package var canListen: Bool { if case .notDownloaded = self { false } else { true } }
    }

    let recognizer: RecognizerDescription
    /// The recognizer's.
    let file: String
    package let model: HearingModel
    package let state: State
    /// The languages that it understands (BCP-47); empty = not known.
    package var languages: [String] { model.languages }

    package var recognizerID: String { recognizer.id }

    package var capabilities: RecognizerDescription.Capabilities { recognizer.capabilities }

    /// Without it, it only says where speech begins and ends.
    package var transcribes: Bool { capabilities.contains(.transcribes) }

    /// Whether it can write English of other languages.
    package var translates: Bool { capabilities.contains(.translates) }

    /// It understands nothing: a template, or a test.
    package var isExample: Bool { capabilities.contains(.isExample) }

    /// Of the sound that it is given, in hertz.
    package var rate: UInt32 { recognizer.sampleRate }

    /// The longest piece of a long sound, in seconds: what most recognizers take whole.
    package var longestPiece: Double { recognizer.longest == 0 ? 28 : min(28, Double(recognizer.longest)) }

    /// How many pieces at once: more would share the same processors. A detector needs little of them, and follows a sound that lasts
    /// for hours.
    package var lanes: Int {
        let most: UInt32 = transcribes ? 2 : 64
        return Int(recognizer.maxLanes == 0 ? most : min(most, recognizer.maxLanes))
    }

    /// The same choice with these languages.
    func understanding(_ languages: [String]) -> HearingChoice {
        HearingChoice(
            recognizer: recognizer, file: file, model: model.understanding(languages), state: state)
    }

    package func isSame(as other: HearingChoice?) -> Bool {
        other.map { $0.recognizer.id == recognizer.id && $0.model.folder == model.folder } ?? false
    }
}

extension Inventory {
    /// The models of all recognizers that are here, those that can listen now first; then those that are proposed, in their
    /// order.
    package func hearing() throws(SpeechError) -> [HearingChoice] {
        try hearing { $0.contains(.transcribes) }
    }

    /// The models of all detectors of speech that are here, in the same order.
    package func detectors() throws(SpeechError) -> [HearingChoice] {
        try hearing(\.onlyDetects)
    }

    /// The detector that says where speech begins and ends in sound of this rate; nil = none is here that can.
    package func detector(rate: UInt32) -> HearingChoice? {
        (try? detectors())?.first {
            $0.rate == rate && $0.state.canListen && !$0.capabilities.contains(.isExample)
        }
    }

    private func hearing(
        _ isMeant: (RecognizerDescription.Capabilities) -> Bool
    ) throws(SpeechError) -> [HearingChoice] {
        let registry: Registry
        do { registry = try self.registry() } catch { throw SpeechError(error) }
        let installed = host.store.installedHearing()
        var choices: [HearingChoice] = []
        for file in recognizers {
            guard let recognizer = file.description, isMeant(recognizer.capabilities) else { continue }
            // One that the recognizer says wrongly of itself is none.
            let declared = recognizer.models.compactMap { try? HearingModel($0, of: recognizer) }
            func add(_ model: HearingModel, _ state: HearingChoice.State) {
                guard choices.allSatisfy({ $0.model.folder != model.folder || $0.recognizer.id != recognizer.id })
                else { return }
                choices.append(
                    HearingChoice(
                        recognizer: recognizer, file: file.path, model: model, state: state))
            }
            for model in declared where model.files.isEmpty { add(model, .builtIn) }
            for one in installed where one.model.recognizer == recognizer.id {
                let known = registry.hearingModels.first { $0.folder == one.model.folder } ?? one.model
                add(known, .ready(one.files.map { HandedFile(role: $0.role, path: $0.path) }))
            }
            for model in registry.hearingModels + declared where model.recognizer == recognizer.id {
                var reason: String?
                if case .notDownloaded(let why) = host.store.state(of: model) { reason = why }
                add(model, .notDownloaded(because: reason))
            }
        }
        return choices.enumerated().sorted { first, second in
            func key(_ place: (offset: Int, element: HearingChoice)) -> (Int, Int, Int) {
                (place.element.state.canListen ? 0 : 1, place.element.model.starter ?? .max, place.offset)
            }
            return key(first) < key(second)
        }.map(\.element)
    }

    /// The model that listens.
    ///
    /// - Parameters:
    ///   - recognizer: its id; nil = that of the configuration, or the first that suits.
    ///   - model: its id or name; nil = that of the configuration, or the first that suits.
    ///   - language: what is spoken (BCP-47); nil = not known.
    /// - Throws: `hearing`, such as `notDownloaded` if it is one that is known and not here.
    package func chooseHearing(
        recognizer: String? = nil, model: String? = nil, language: String? = nil
    ) throws(SpeechError) -> HearingChoice {
        let choices = try hearing()
        let presets = host.presets
        let wanted = recognizer ?? (model == nil ? presets.recognizer : nil)
        if let wanted, choices.allSatisfy({ $0.recognizer.id != wanted }) {
            throw absence(of: wanted, choices)
        }
        // An example is only heard when it is named.
        var suitable = choices.filter { choice in
            wanted.map { choice.recognizer.id == $0 }
                ?? (model != nil || !choice.recognizer.capabilities.contains(.isExample))
        }
        guard let first = suitable.first else {
            // One that is here and does not load is what is missed.
            let known = Set((try? registry())?.hearingModels.map(\.recognizer) ?? [])
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

    /// The languages of all models that a recognizer declares or the registry has for it (BCP-47).
    func languages(of recognizer: RecognizerDescription) throws(SpeechError) -> [String] {
        let registry: Registry
        do { registry = try self.registry() } catch { throw SpeechError(error) }
        let declared = recognizer.models.compactMap { try? HearingModel($0, of: recognizer) }
        return HearingModel.languages(of: recognizer.id, registry.hearingModels, declared)
    }

    /// Downloads a model; what an earlier download left is used.
    package func download(_ model: HearingModel, on executor: (any TaskExecutor)? = nil) -> VoiceDownload {
        VoiceDownload([model], store: host.store, on: executor)
    }

    /// The same for several, as one download.
    package func download(_ models: [HearingModel]) -> VoiceDownload { VoiceDownload(models, store: host.store) }

    /// The models of recognizers whose files are here.
    package var installedHearing: [HearingModel] { host.store.installedHearing().map(\.model) }

    /// Removes a model's files.
    package func remove(_ model: HearingModel) throws(SpeechError) -> StoreRemoval {
        do { return try host.store.removeNow(model) } catch { throw SpeechError(error) }
    }

    private func absence(of id: String, _ choices: [HearingChoice]) -> SpeechError {
        for file in recognizers {
            let plugin = PluginFile(path: file.path, verdict: .recognizer)
            if case .unusable(let reason) = file.verdict, plugin.isNamed(after: id) {
                return SpeechError(recognizer: EngineFailure(engine: file.path, reason: reason))
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

extension HearingModel {
    /// The languages of the models of a recognizer, each once (BCP-47).
    static func languages(of recognizer: String, _ listed: [HearingModel], _ declared: [HearingModel]) -> [String] {
        let all = (declared + listed.filter { $0.recognizer == recognizer }).flatMap(\.languages)
        var seen: Set<String> = []
        return all.filter { seen.insert($0).inserted }
    }

    init(_ model: RecognizerModel, of recognizer: RecognizerDescription) throws(RegistryError) {
        try self.init(
            id: model.id, name: model.name, languages: model.languages,
            licence: model.licence ?? recognizer.licence,
            files: model.sources.map {
                DeclaredVoice.File(role: $0.role, isShared: false, url: $0.url, sha256: $0.sha256, size: $0.size)
            }, by: recognizer.id)
    }
}
