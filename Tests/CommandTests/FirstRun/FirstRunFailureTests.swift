import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite(
    "A first run whose download fails", .ownThreads, .enabled(if: BuildFolder.hasNeuralEngines))
struct FirstRunFailureTests {
    /// The error and its remedy, as printed without a terminal.
    private func failure(_ layout: RealLayout, code: Int32) throws -> String {
        let failed = try layout.run(["setup", "--yes"])
        #expect(failed.code == code, "\(failed.errors)")
        #expect(try layout.configured("engine") == "")
        #expect(!layout.home.exists("played.wav"))
        #expect(try layout.speaker().hasSuffix("eSpeak NG."))
        // On a busy machine, progress lines are printed first, so they are skipped.
        let start = try #require(failed.errors.firstRange(of: "synthhost: ")).lowerBound
        return failed.errors[start...].trimmingCharacters(in: .newlines)
    }

    @Test("If a server lacks the file or denies access, the error includes the status code", arguments: [404, 403])
    func refused(status: Int) throws {
        let layout = try RealLayout(offersSmall: false) { request, _ in
            request.path.hasSuffix("/onnx/model.onnx") ? .init(status: status) : nil
        }
        let words = try failure(layout, code: 69)
        let address = layout.server.base + layout.model.dropFirst()
        #expect(
            words == """
                synthhost: Heart (American) is not ready: model.onnx was not downloaded: \
                the server returned \(status) for \(address).
                Update synthhost, or choose a different voice: synthhost voices --all
                """, "\(words)")
    }

    @Test("A file with an incorrect digest is reported and discarded")
    func wrongDigest() throws {
        let layout = try RealLayout(offersSmall: false) { request, file in
            guard request.path.hasSuffix("/onnx/model.onnx"), var file else { return nil }
            file[file.count / 2] ^= 1
            return .init(file, to: request)
        }
        let words = try failure(layout, code: 69)
        #expect(words.hasPrefix("synthhost: Heart (American) is not ready: model.onnx from "))
        #expect(words.hasSuffix("Update synthhost, or choose a different voice: synthhost voices --all"), "\(words)")
        #expect(
            !FileManager.default.fileExists(atPath: layout.home.file("data/synthhost/models/kokoro-82m/model.onnx")))
    }

    @Test("Downloading in offline mode is an error")
    func offline() throws {
        let layout = try RealLayout(offersSmall: false)
        let failed = try layout.home.run(
            "setup", "--yes", adding: ["SYNTHHOST_PACE": "1000", "SYNTHHOST_OFFLINE": "1"])
        #expect(failed.code == 69)
        #expect(
            failed.errors == """
                synthhost: The voice Heart (American) is not downloaded, and network access is turned off.
                Allow network access (omit --offline and unset SYNTHHOST_OFFLINE), then type: synthhost setup

                """)
        #expect(layout.asked.isEmpty)
    }

    @Test("At a terminal, the user can select a different voice instead")
    func otherVoice() throws {
        let layout = try RealLayout(offersSmall: false) { request, _ in
            request.path.hasSuffix("/onnx/model.onnx") ? .init(status: 404) : nil
        }
        let screen = try Screen(columns: 100)
        let process = try layout.begin("setup", on: screen)
        try screen.wait(for: "Enter for 1: ")
        screen.terminal.type("\n")
        try screen.wait(for: "the server returned 404")
        try screen.wait(for: "Enter for 3: ")
        screen.terminal.type("2\n")
        try screen.wait(for: "Kristin (American), en-US, medium, 5.4 MB")
        let line = try screen.lineNumber(of: "Kristin (American), en-US")
        screen.terminal.type("\(line)\n")
        #expect(try screen.finish(process).code == 0, "\(screen.text)")
        #expect(try layout.speaker() == "Kristin (American) from Piper.")
    }

    @Test(
        "A full disk is reported before the model is requested; with enough space, the download succeeds",
        .enabled(if: Namespace.works))
    func diskFull() throws {
        let layout = try RealLayout(offersSmall: false)
        try layout.home.write("", to: "data/synthhost/models/.keep")
        let failed = try Namespace.run(
            "mount -t tmpfs -o size=3m none '\(layout.home.file("data/synthhost/models"))' && "
                + "SYNTHHOST_PACE=1000 exec '\(layout.home.programs)/synthhost' setup --yes", layout.home)
        #expect(failed.code == 74, "\(failed.errors)")
        #expect(failed.errors.contains("Heart (American) needs 5.4 MB"), "\(failed.errors)")
        #expect(failed.errors.contains("synthhost models prune"), "\(failed.errors)")
        #expect(failed.errors.hasSuffix(", then run the same command again.\n"), "\(failed.errors)")
        // The style file fits on the disk, but the model does not, so it is not requested.
        #expect(!layout.asked.contains(layout.model))
        #expect(try layout.configured("engine") == "")
        #expect(try layout.run(["setup", "--yes"]).code == 0)
        #expect(try layout.speaker() == "Heart (American) from Kokoro.")
    }
}
