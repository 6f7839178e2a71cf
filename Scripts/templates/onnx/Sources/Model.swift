import EngineKit
import SynthInference

/// A loaded voice: its session, and the sample rate from the file.
struct @TYPE@Model: SpeechModel {
    let session: InferenceSession
    let sampleRate: Int

    init(_ files: ModelFiles) throws {
        let path = try files.files.path("model")
        do throws(InferenceError) {
            session = try InferenceSession(
                model: path, threads: files.threads > 0 ? files.threads : 2, cacheDirectory: files.cacheDirectory)
            sampleRate = try session.metadata("sample_rate").flatMap { Int($0) } ?? 22_050
        } catch {
            throw EngineError(.badFile, "The model cannot be loaded: \(error).", role: "model")
        }
        // Reject other models now, because they would only produce noise later.
        let input = session.inputs.first { $0.name == "input_ids" }
        let output = session.outputs.first { $0.name == "waveform" }
        guard session.inputs.count == 1, input?.element == .int64, output?.element == .float32 else {
            session.abandonCache()
            throw EngineError(.badFile, "The model has unexpected inputs or outputs.", role: "model")
        }
    }

    func open() -> @TYPE@Lane { @TYPE@Lane(model: self) }
}
