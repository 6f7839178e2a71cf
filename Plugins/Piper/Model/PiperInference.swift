import EngineKit
import ONNXInference

/// The model of a voice, for all lanes.
struct PiperInference: Sendable {
    let model: CachedSession
    let contract: PiperContract

    init(model path: String, threads: Int, cacheDirectory: String?, _ configuration: PiperConfiguration) throws {
        do throws(InferenceError) {
            model = try CachedSession(
                model: path,
                // The only node of this kind rounds the durations, which no published voice returns.
                exposing: "Ceil", threads: threads, cacheDirectory: cacheDirectory, rewrittenAs: .vits)
        } catch {
            throw PiperFailure.of(error)
        }
        let session = model.session
        do throws(EngineError) {
            contract = try PiperContract(session)
            guard configuration.speakerCount == 1 || contract.takesSpeaker else {
                throw PiperFailure.model("has one speaker, but its configuration says \(configuration.speakerCount)")
            }
        } catch {
            session.abandonCache()
            throw error
        }
        model.rewrite(
            checkedBy: contract.check(configuration), debug: { EngineLog.debug($0) },
            warning: { EngineLog.warning($0) })
        EngineLog.info(session.form.description)
        EngineLog.debug(session.isFromCache ? "the model is from the cache" : "the model is from its file")
    }
}
