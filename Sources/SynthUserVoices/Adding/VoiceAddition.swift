import SynthAudio
package import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
import SynthSpeech
package import SynthSystem

/// Adds the user's own voices: their files are copied, and tried, before they are installed. Everything blocks.
package final class VoiceAddition: Sendable {
    private let library: VoiceLibrary
    private let addition: Addition
    private let isCancelled = Monitor(false)
    /// What tries a recognizer's model now.
    private let trial = Monitor<HearingSource?>(nil)

    package init(_ library: VoiceLibrary) throws(SpeechError) {
        self.library = library
        do {
            addition = try library.store.beginAdding()
        } catch {
            throw SpeechError(error)
        }
    }

    /// Makes the running call and all later ones throw. May be called on any thread.
    package func cancel() {
        isCancelled.update { $0 = true }
        addition.cancel()
        library.host.abandonEngines()
        trial.read { $0 }?.end()
    }

    /// Removes what was not committed. Must always be called, also after `commit`.
    package func discard() { addition.discard() }

    /// Which of the files are those of voices that the registry has.
    ///
    /// - Throws: `modelOnly` for a model of the registry without a voice.
    package func known(_ paths: [String]) throws(SpeechError) -> KnownVoices {
        let known: KnownVoices
        do {
            known = try KnownVoices(paths, in: library.registry, addition)
        } catch {
            throw SpeechError(addition.shown(error))
        }
        guard let model = known.lonelyModel else { return known }
        let voices = library.registry.voices.filter { voice in
            voice.model.map { $0.id == model.id || $0.family == model.family } ?? false
        }
        throw .modelOnly(
            path: paths[0], model, voices: voices, word: voices.first.map { library.word(for: $0) } ?? "VOICE")
    }

    /// Copies the files, finds out which voices they make, and has each speak. If one cannot, none of them should be kept.
    ///
    /// - Parameter onTrial: gets the voice that is tried now, its index and the number of voices.
    /// - Returns: the voices that were left out because their engine does not speak them.
    package func take(
        _ paths: [String], as words: OwnVoiceWords, onTrial: (Voice, Int, Int) -> Void
    ) throws(SpeechError) -> [LeftOutVoices] {
        let found = try OwnVoices(words, library, addition).take(paths)
        let taken = found.voices
        // A session keeps its engine: the next voice finds it, and the model that they share.
        var session: SpeechSession?
        for (place, voice) in taken.enumerated() {
            onTrial(voice.voice, place, taken.count)
            do throws(SpeechError) {
                session = try library.inventory.session(VoiceChoice(voice: voice.voice), uncommitted: taken)
                if isCancelled.read({ $0 }) { throw .closed }
                // Every language has digits.
                _ = try session?.speak(try GivenText("1"), SpeechSettings()).deliver(to: DiscardingSink())
            } catch {
                throw .silent(voice.voice.title, shown(error))
            }
        }
        withExtendedLifetime(session) {}
        return found.leftOut
    }

    /// Copies the files of a recognizer's model, and has it listen.
    ///
    /// - Returns: nil if they are those of no recognizer, and none was named.
    package func takeHearing(
        _ paths: [String], as words: OwnVoiceWords, onTrial: (HearingModel) -> Void
    ) throws(SpeechError) -> HearingChoice? {
        guard var choice = try OwnHearing(words: words, library: library, addition: addition).take(paths) else {
            return nil
        }
        onTrial(choice.model)
        let source = try library.inventory.source(of: choice) { _ in }
        trial.update { $0 = source }
        defer { trial.update { $0 = nil } }
        if isCancelled.read({ $0 }) { throw SpeechError(StoreError.cancelled) }
        let lane: any HearingLane
        do {
            lane = try source.takeLane()
            _ = try lane.listen(HearingRequest(), to: ShortSilence(rate: choice.rate)) { _ in true }
        } catch {
            if isCancelled.read({ $0 }) { throw SpeechError(StoreError.cancelled) }
            throw .deaf(choice.model.name, shown(error))
        }
        guard choice.model.languages.isEmpty else { return choice }
        let candidates = try library.inventory.languages(of: choice.recognizer)
        choice = choice.understanding(KnownLanguages(lane).all(of: candidates))
        if isCancelled.read({ $0 }) { throw SpeechError(StoreError.cancelled) }
        do { try addition.describe(choice.model) } catch { throw SpeechError(error) }
        return choice
    }

    /// Makes voices of the copied files. A voice with the same id that was added before is replaced.
    package func commit() throws(SpeechError) -> [Voice] {
        do {
            return try addition.commit().map(\.voice)
        } catch {
            throw SpeechError(addition.shown(error))
        }
    }

    /// An engine knows the paths that its files have meanwhile, and may name them.
    private func shown(_ failure: SpeechError) -> SpeechError {
        if let failure = failure.cause as? EngineFailure { return SpeechError(shown(failure)) }
        guard failure.code == .voiceFileInvalid, let path = failure.facts.path, let reason = failure.facts.reason else {
            return failure
        }
        let words = addition.shown(reason)
        return failure.reworded("\(path): \(words)") { $0.reason = words }
    }

    private func shown(_ failure: EngineFailure) -> EngineFailure {
        guard case .reported(var error) = failure.reason else { return failure }
        var failure = failure
        error.message = addition.shown(error.message)
        failure.reason = .reported(error)
        return failure
    }
}

/// Finds out which of the user's files are those of voices that the registry has, by their digests.
package struct KnownVoices {
    /// Those whose own files are there, and what they share if they share a model.
    package private(set) var voices: [Voice] = []
    /// A model of the registry that is there without the files of a voice.
    private(set) var lonelyModel: Model?
    /// The files that may be theirs.
    package let files: [String]

    /// Blocks while files are read, of which there are none if no file is as long as one of the registry.
    init(_ paths: [String], in registry: Registry, _ addition: Addition) throws(StoreError) {
        let files = Self.candidates(paths)
        self.files = files
        let sizes = Set(files.compactMap(addition.size))
        var found: [Digest: Bool] = [:]
        func isHere(_ wanted: ModelFile) throws(StoreError) -> Bool {
            guard sizes.contains(wanted.size) else { return false }
            if let known = found[wanted.digest] { return known }
            var here = false
            for file in files where !here { here = try addition.holds(file, wanted) }
            found[wanted.digest] = here
            return here
        }
        func isHere(_ wanted: [ModelFile]) throws(StoreError) -> Bool {
            guard let main = wanted.max(by: { $0.size < $1.size }) else { return false }
            return try isHere(main)
        }
        for model in registry.models where lonelyModel == nil {
            if try isHere(model.files) { lonelyModel = model }
        }
        for voice in registry.voices where voice.unsupported == nil {
            guard let own = voice.model else {
                let isThere = try isHere(voice.files) ? true : isHere(voice.alternative)
                if isThere { voices.append(voice) }
                continue
            }
            let used = ([own] + registry.precisions(of: voice)).first { lonelyModel?.id == $0.id }
            guard let used else { continue }
            let isWhole = try voice.files.isEmpty ? true : isHere(voice.files)
            if isWhole { voices.append(voice.using(used)) }
        }
        if !voices.isEmpty || paths.count != 1 || isFolder(paths[0]) { lonelyModel = nil }
    }

    /// A file with its description beside it, or all files of a folder.
    private static func candidates(_ paths: [String]) -> [String] {
        paths.flatMap { path in
            isFolder(path) ? FolderListing.names(in: path).map { "\(path)/\($0)" } : [path, path + ".json"]
        }
    }
}

/// Voices whose files were copied, and those that were left out because their engine does not speak them.
struct TakenVoices {
    var voices: [InstalledVoice]
    private(set) var leftOut: [LeftOutVoices] = []

    init(_ voices: [InstalledVoice]) { self.voices = voices }

    mutating func leaveOut(_ title: String, because reason: String) {
        if let index = leftOut.firstIndex(where: { $0.reason == reason }) {
            leftOut[index].titles.append(title)
        } else {
            leftOut.append(LeftOutVoices(titles: [title], reason: reason))
        }
    }
}
