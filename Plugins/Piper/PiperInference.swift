import EngineKit
import ONNXInference
import Synchronization

/// The model of a voice, for all lanes. After its first use it is the form that was then put into the cache.
final class PiperInference: Sendable {
    let contract: PiperContract

    private let path: String
    private let threads: Int
    private let cacheDirectory: String?
    private let current: Mutex<InferenceSession>

    init(model path: String, threads: Int, cacheDirectory: String?, _ configuration: PiperConfiguration) throws {
        self.path = path
        self.threads = threads
        self.cacheDirectory = cacheDirectory
        let session: InferenceSession
        do throws(InferenceError) {
            session = try Self.session(path, threads, cacheDirectory)
        } catch {
            throw PiperFailure.of(error)
        }
        do throws(EngineError) {
            contract = try PiperContract(session)
            guard configuration.speakerCount == 1 || contract.takesSpeaker else {
                throw PiperFailure.model("has one speaker, but its configuration says \(configuration.speakerCount)")
            }
        } catch {
            session.abandonCache()
            throw error
        }
        session.rewrite(checkedBy: contract.check(configuration)) { Self.log($0) }
        EngineLog.info(session.form.description)
        EngineLog.debug(session.isFromCache ? "the model is from the cache" : "the model is from its file")
        current = Mutex(session)
    }

    private static func session(
        _ path: String, _ threads: Int, _ cacheDirectory: String?
    ) throws(InferenceError) -> InferenceSession {
        try InferenceSession(
            model: path,
            // The only node of this kind rounds the durations, which no published voice returns.
            exposing: "Ceil", threads: threads, cacheDirectory: cacheDirectory, isRewritten: true)
    }

    /// The one to use for the next request.
    var session: InferenceSession { current.withLock { $0 } }

    /// Waits until the form of this session is in the cache, if it is being made, and uses it from then on.
    func finishCache(_ session: InferenceSession) {
        guard !session.isFromCache else { return }
        session.finishCache()
        current.withLock { current in
            guard current === session, let made = try? Self.session(path, threads, cacheDirectory), made.isFromCache
            else { return }
            current = made
        }
    }

    /// Says what became of the wish to rewrite the model. Called once, when that is found out.
    private static func log(_ rewriting: RewriteOutcome) {
        switch rewriting.kind {
        case .rewritten: EngineLog.debug("rewritten: \(rewriting)")
        case .unknown: EngineLog.debug("not rewritten, because \(rewriting)")
        case .failed:
            EngineLog.warning("The model stays as published, because its faster form failed the check: \(rewriting).")
        }
    }
}
