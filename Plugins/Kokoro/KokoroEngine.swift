import CSynthEngine
import Dispatch
public import EngineKit
import Synchronization
import SynthEnglish
import SynthInference
import SynthPhonemes

/// Speaks with the voices of Kokoro-82M, which share one model. Each voice has a table of style vectors.
struct KokoroEngine: EnginePlugin {
    static var description: EngineDescription {
        EngineDescription(
            id: "kokoro", name: "Kokoro", version: "0.1.0",
            // The license of libespeak-ng, which is linked into the engine.
            license: "GPL-3.0-or-later",
            capabilities: [.speaksPhonemes, .timesWords, .timesPhonemes, .blends],
            // Lanes share the weights, but each lane needs memory for its current chunk.
            maximumLanes: 4,
            // No rates are declared: the model rounds each symbol's duration to whole frames of 25 ms, so its speed
            // would be off by up to 5%, depending on the sentence. The host's time-stretching is exact.
            roles: [
                FileRole(KokoroRole.model, scope: .model), FileRole(KokoroRole.style, scope: .voice),
                FileRole(KokoroRole.lexicon, scope: .model, isOptional: true),
                FileRole(KokoroRole.britishLexicon, scope: .model, isOptional: true),
            ],
            variables: ModelForm.variables)
    }

    static func load(_ files: ModelFiles) throws -> KokoroModel {
        try KokoroModel(files)
    }
}

/// The engine's entry point; `nil` for an unsupported ABI version.
@c @implementation
public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
    KokoroEngine.table(abi: abi, host: host)
}

/// A loaded model, which all voices share.
struct KokoroModel: SpeechModel {
    private let model: CachedSession
    /// The queue that all lanes share.
    private let queue: InferenceQueue
    private let contract: KokoroContract
    private let styles: StyleCache
    private let lexicons: Lexicons
    private let english = EnglishReaders()

    init(_ files: ModelFiles) throws {
        // Another thread starts espeak-ng and reads the lexicons so that the first request need not wait for them. If
        // espeak-ng fails to start, the first request reports the error. The data for a variety of English is read for
        // the first text that needs it, so reading it does not delay other voices.
        let paths = [KokoroRole.lexicon, KokoroRole.britishLexicon].compactMap { files.files[$0] }
        let lexicons = Mutex<Lexicons?>(nil)
        let preparation = DispatchGroup()
        WorkThread.start(in: preparation) {
            _ = try? Espeak.clauses(of: "a", voice: "en-us", tied: true)
            let read = Lexicons(paths: paths)
            lexicons.withLock { $0 = read }
        }
        defer { preparation.wait() }
        let path = try files.files.path(KokoroRole.model)
        let threads = files.threads > 0 ? files.threads : InferenceQueue.usefulThreads
        do {
            model = try CachedSession(
                model: path, exposing: KokoroContract.durationOperation, threads: threads,
                cacheDirectory: files.cacheDirectory, rewrittenAs: .styled)
        } catch {
            throw KokoroFailure.of(error)
        }
        let session = model.session
        queue = InferenceQueue(threads: threads)
        do {
            contract = try KokoroContract(session)
        } catch {
            session.abandonCache()
            throw error
        }
        model.rewrite(
            checkedBy: contract.check(), debug: { EngineLog.debug($0) }, warning: { EngineLog.warning($0) })
        styles = StyleCache(contents: Self.contents(session))
        preparation.wait()
        // The thread may not have started.
        self.lexicons = lexicons.withLock { $0 } ?? Lexicons(paths: paths)
        EngineLog.info(session.form.description)
        EngineLog.debug(
            "espeak-ng \(Espeak.version), model loaded from \(session.isFromCache ? "the cache" : "its file")")
    }

    func open() -> KokoroLane {
        KokoroLane(model: model, queue: queue, contract: contract, styles: styles, lexicons: lexicons, english: english)
    }

    /// Returns the voices in a raw file, as listed in the metadata of a model converted by sherpa-onnx.
    private static func contents(_ session: InferenceSession) -> StyleFile.Contents? {
        func note(_ key: String) -> String? { (try? session.metadata(key)) ?? nil }
        guard let names = note("speaker_names"), let shape = note("style_dim"),
            let rowCount = shape.split(separator: ",").first.flatMap({ Int($0) })
        else { return nil }
        return StyleFile.Contents(names: names.split(separator: ",").map(String.init), rowCount: rowCount)
    }
}
