import SynthAudio
package import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthListening
import SynthModelStore
import SynthSpeech
package import SynthSystem

/// Adds the user's own voices by copying the files, testing them and then installing them. All methods block.
package final class VoiceAddition: Sendable {
    private let library: VoiceLibrary
    private let addition: Addition
    private let isCancelled = Monitor(false)
    /// The recognizer under test.
    private let trial = Monitor<RecognizerSource?>(nil)

    package init(_ library: VoiceLibrary) throws(SpeechError) {
        self.library = library
        addition = try rethrowing(library.store.beginAdding(), as: StoreError.asSpeechError)
    }

    /// Makes the current call and all later calls throw. Can be called from any thread.
    package func cancel() {
        isCancelled.update { $0 = true }
        addition.cancel()
        library.host.abandonEngines()
        trial.read { $0 }?.end()
    }

    /// Removes all uncommitted files. Always call this method, even after `commit`.
    package func discard() { addition.discard() }

    /// Determines which files belong to voices in the registry.
    ///
    /// - Throws: `ownFilesUnclear` if the files are a registry model without a voice; a store error if a file cannot be
    ///   read.
    package func known(_ paths: [String]) throws(SpeechError) -> RegistryMatches {
        let known = try rethrowing(RegistryMatches(paths, in: library.registry, addition), as: addition.reported)
        guard let model = known.modelWithoutVoices else { return known }
        let voices = library.registry.voices.filter { voice in
            voice.model.map { $0.id == model.id || $0.family == model.family } ?? false
        }
        throw .modelOnly(
            path: paths[0], model, voices: voices, word: voices.first.map { library.word(for: $0) } ?? "VOICE")
    }

    /// Copies the files, identifies their voices and makes each voice speak. If one voice fails, the caller should
    /// discard all of them.
    ///
    /// - Parameter onTrial: receives the voice under test, its index, and the number of voices.
    /// - Returns: the voices that were omitted because their engine does not support them.
    package func take(
        _ paths: [String], as words: AddedVoiceOptions, onTrial: (Voice, Int, Int) -> Void
    ) throws(SpeechError) -> [Omission] {
        let found = try OwnVoices(words: words, library: library, addition: addition).take(paths)
        let taken = found.voices
        // This session keeps its engine running so that the next voice can reuse the shared model.
        var session: SpeechSession?
        for (position, voice) in taken.enumerated() {
            onTrial(voice.voice, position, taken.count)
            do throws(SpeechError) {
                session = try library.inventory.session(VoiceChoice(voice: voice.voice), uncommitted: taken)
                if isCancelled.read({ $0 }) { throw .closed }
                // Speak a digit, because voices in all languages can speak digits.
                _ = try session?.speak(try CompleteText("1"), SpeechSettings()).deliver(to: DiscardingSink())
            } catch {
                throw .silent(voice.voice.title, shown(error))
            }
        }
        withExtendedLifetime(session) {}
        return found.leftOut
    }

    /// Copies a recognizer's model files and tests the recognizer on silent audio.
    ///
    /// - Returns: nil if the files match no recognizer and the user did not specify one.
    package func takeRecognizer(
        _ paths: [String], as words: AddedVoiceOptions, onTrial: (RecognizerModelEntry) -> Void
    ) throws(SpeechError) -> RecognizerChoice? {
        guard var choice = try OwnRecognizerModel(words: words, library: library, addition: addition).take(paths) else {
            return nil
        }
        onTrial(choice.model)
        let source = try library.inventory.source(of: choice) { _ in }
        trial.update { $0 = source }
        defer { trial.update { $0 = nil } }
        if isCancelled.read({ $0 }) { throw SpeechError(StoreError.cancelled) }
        let lane: any RecognitionLane
        do {
            lane = try source.takeLane()
            let second = MemoryAudio([Float](repeating: 0, count: Int(choice.rate)))
            _ = try lane.listen(RecognitionJob(), to: second) { _ in true }
        } catch {
            if isCancelled.read({ $0 }) { throw SpeechError(StoreError.cancelled) }
            throw .recognizerTestFailed(choice.model.name, shown(error))
        }
        guard choice.model.languages.isEmpty else { return choice }
        let candidates = try library.inventory.languages(of: choice.recognizer)
        choice = choice.understanding(KnownLanguages(lane).all(of: candidates))
        if isCancelled.read({ $0 }) { throw SpeechError(StoreError.cancelled) }
        do { try addition.describe(choice.model) } catch { throw SpeechError(error) }
        return choice
    }

    /// Installs voices from the copied files. Replaces an added voice with the same ID.
    package func commit() throws(SpeechError) -> [Voice] {
        try rethrowing(addition.commit(), as: addition.reported).map(\.voice)
    }

    /// Replaces the paths of the copies, which may appear in an engine's message, with the original paths.
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

extension Addition {
    /// Returns the error with the original paths instead of the paths of the copies.
    func reported(_ error: StoreError) -> SpeechError { SpeechError(shown(error)) }
}

/// Uses digests to identify which of the user's files belong to registry voices.
package struct RegistryMatches {
    /// The voices whose own files are present, with the model that they share, if any.
    package private(set) var voices: [Voice] = []
    /// A registry model that is present without any of its voices.
    private(set) var modelWithoutVoices: Model?
    /// The files that may belong to registry voices.
    package let files: [String]

    /// Blocks while files are read. Reads only files that have the same size as a file in the registry.
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
        for model in registry.models where modelWithoutVoices == nil {
            if try isHere(model.files) { modelWithoutVoices = model }
        }
        for voice in registry.voices where voice.unsupported == nil {
            guard let own = voice.model else {
                let isThere = try isHere(voice.files) ? true : isHere(voice.alternative)
                if isThere { voices.append(voice) }
                continue
            }
            let used = ([own] + registry.precisions(of: voice)).first { modelWithoutVoices?.id == $0.id }
            guard let used else { continue }
            let isWhole = try voice.files.isEmpty ? true : isHere(voice.files)
            if isWhole { voices.append(voice.using(used)) }
        }
        if !voices.isEmpty || paths.count != 1 || isFolder(paths[0]) { modelWithoutVoices = nil }
    }

    /// A file and its description file, or all files in a folder.
    private static func candidates(_ paths: [String]) -> [String] {
        paths.flatMap { path in
            isFolder(path) ? FolderListing.names(in: path).map { "\(path)/\($0)" } : [path, path + ".json"]
        }
    }
}

/// The voices whose files were copied, and the voices that were omitted because their engine does not support them.
struct AdditionOutcome {
    var voices: [InstalledVoice]
    private(set) var leftOut: [Omission] = []

    init(_ voices: [InstalledVoice]) { self.voices = voices }

    mutating func leaveOut(_ title: String, because reason: String) {
        if let index = leftOut.firstIndex(where: { $0.reason == reason }) {
            leftOut[index].titles.append(title)
        } else {
            leftOut.append(Omission(titles: [title], reason: reason))
        }
    }
}
