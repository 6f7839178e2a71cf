import Foundation
import SynthEngineWire

/// The test voice for the Hibari engine.
enum SmallVoiceFile {
    static let files = [
        HandedFile(
            role: "model",
            path: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Fixtures/Voices/af_small.onnx").path)
    ]
}
