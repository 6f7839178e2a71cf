import Foundation
import Testing
import TestSupport

/// The checks most affected by linked libraries: resources left behind in the process and on disk.
@Suite(.ownThreads, .espeakTurn) struct ValidationTests {
    @Test("The neural engines leave nothing behind in the process or on disk", arguments: ["Piper", "Kokoro"])
    func surroundings(engine: String) throws {
        let voices = URL(filePath: try Voice().model).deletingLastPathComponent().path
        let files =
            engine == "Piper"
            ? ["model=\(voices)/en_US-tern-x_low.onnx", "config=\(voices)/en_US-tern-x_low.onnx.json"]
            : ["model=\(voices)/kokoro-tern.onnx", "style=\(voices)/af_tern.bin"]
        let home = try UserHome(programs: BuildFolder.path)
        let process = try home.start(
            ["engines", "validate", "\(BuildFolder.path)/lib\(engine).so", "--voice", "af_tern"]
                + files.flatMap { ["--file", $0] }
                + ["--include", "leaves|writes|network|process|damaged|short-text", "--json", "--limit", "10m"])
        let result = try process.finish(within: .seconds(3600))
        #expect(result.code == 0, "\(result.text) \(result.errors)")
        #expect(result.text.contains("leaves-no-thread-after-unload"))
    }
}
