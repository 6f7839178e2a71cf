import Foundation
import SynthEngineProcesses

/// The test voice for the Hibari engine.
enum SmallVoiceFile {
    static let files = [
        CheckFile(
            role: "model",
            path: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/Voices/af_small.onnx").path)
    ]
}
