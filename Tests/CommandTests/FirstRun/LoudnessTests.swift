import CommandSupport
import Foundation
import SynthCatalogue
import SynthHost
import Testing
import TestSupport

@testable import synthhost_cli

@Suite("Measuring the loudness of a new voice", .ownThreads, .enabled(if: BuildFolder.hasNeuralEngines))
struct LoudnessTests {
    private static let label = "Measuring the loudness of Kristin (American)"

    /// Returns the kind or label of each event, in order, from JSON lines.
    private func events(_ result: ChildResult) throws -> [String] {
        try result.errors.split(separator: "\n").filter { $0.hasPrefix("{") }.compactMap { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let event = object?["event"] as? String, event == "begin", let label = object?["label"] as? String
            else { return nil }
            return label
        }
    }

    /// Returns the loudness and gain from the output of `voices VOICE --json`.
    private func told(_ layout: RealLayout, _ name: String) throws -> (loudness: Double?, gain: Double?) {
        let text = try layout.run(["voices", name, "--json"]).text
        let list = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        let voice = try #require(list.first)
        return (voice["loudness"] as? Double, voice["gain"] as? Double)
    }

    @Test("The loudness is measured once, as the last step of the download")
    func pull() throws {
        let layout = try RealLayout()
        #expect(try told(layout, "Kristin").loudness == nil)
        let pulled = try layout.run(["models", "pull", "Kristin", "--json"])
        #expect(pulled.code == 0, "\(pulled.errors)")
        #expect(try events(pulled).filter { $0 == Self.label }.count == 1, "\(pulled.errors)")
        let (loudness, gain) = try told(layout, "Kristin")
        let lufs = try #require(loudness)
        #expect((-30 ... -20).contains(lufs))
        #expect(try abs(#require(gain) - (VoiceLoudness.target - lufs)) < 0.011)
        let again = try layout.run(["models", "pull", "Kristin", "--json"])
        #expect(again.code == 0)
        #expect(try events(again).isEmpty, "\(again.errors)")
        #expect(try told(layout, "Kristin").loudness == loudness)
        #expect(try layout.run(["models", "remove", "Kristin"]).code == 0)
        #expect(try told(layout, "Kristin") == (nil, nil))
    }

    @Test("If the download was triggered by a speak request, the loudness is measured after that request")
    func speak() throws {
        let layout = try RealLayout()
        let first = try layout.run([
            "speak", "-y", "-v", "Kristin", "Hello, world", "--json", "-o", layout.home.file("first.wav"),
        ])
        #expect(first.code == 0, "\(first.errors)")
        let labels = try events(first)
        let loading = try #require(labels.firstIndex { $0.hasPrefix("Loading Kristin") })
        let measuring = try #require(labels.firstIndex(of: Self.label))
        #expect(loading < measuring && labels.count { $0 == Self.label } == 1, "\(labels)")
        let gain = try #require(try told(layout, "Kristin").gain)
        #expect(abs(gain) > 0.3)
        // There was no gain yet for the first request.
        let second = try layout.run([
            "speak", "-v", "Kristin", "Hello, world", "--verbose", "-o", layout.home.file("second.wav"),
        ])
        #expect(second.code == 0, "\(second.errors)")
        #expect(second.errors.contains("Its audio is \(gain > 0 ? "raised" : "lowered") by "), "\(second.errors)")
        let levels = try ["first.wav", "second.wav"].map { try layout.home.wav($0).level }
        #expect(abs(levels[1] - levels[0] - gain) < 0.4, "\(levels), \(gain)")
    }

    @Test("The loudness of a user's own voice is measured when the voice is added")
    func add() throws {
        let layout = try RealLayout()
        let voices = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/Voices")
        // Without --name, the registry's voice that uses this file would be added.
        let added = try layout.run([
            "models", "add", voices.appending(path: "en_US-tern-x_low.onnx").path, "--name", "Tern",
        ])
        #expect(added.code == 0, "\(added.errors)")
        #expect(try told(layout, "Tern").loudness != nil)
        let details = try layout.run(["voices", "Tern"]).text
        #expect(details.contains(" LUFS, raised by "), "\(details)")
        let other = try layout.run(["voices", "en-us"]).text
        #expect(other.contains("  lowered by 2.8 dB to match the loudness of other voices"), "\(other)")
    }

    @Test("If the program is killed, it leaves no partial measurement behind, and the next pull measures the voice")
    func killed() throws {
        let layout = try RealLayout()
        let process = try layout.home.start(["models", "pull", "Kristin", "--json"], adding: RealLayout.fast)
        try process.waitForErrors(Self.label)
        process.signal(SIGKILL)
        _ = try process.finish()
        let spoken = try layout.run(["speak", "-v", "Kristin", "Hello", "-o", layout.home.file("a.wav")])
        #expect(spoken.code == 0, "\(spoken.errors)")
        let before = try told(layout, "Kristin").loudness
        let pulled = try layout.run(["models", "pull", "Kristin", "--json"])
        #expect(pulled.code == 0, "\(pulled.errors)")
        #expect(try events(pulled) == (before == nil ? [Self.label] : []))
        #expect(try told(layout, "Kristin").loudness != nil)
    }

    @Test("Ctrl-C skips the loudness measurement, but the voice is still installed")
    func interrupted() throws {
        let layout = try RealLayout()
        let process = try layout.home.start(["models", "pull", "Kristin", "--json"], adding: RealLayout.fast)
        try process.waitForErrors(Self.label)
        process.signal(SIGINT)
        let result = try process.finish()
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors.contains("Kristin (American) is ready."))
        #expect(result.text.contains("\"ready\""))
    }

    @Test("If the measurement library is unusable, the error names its package, and the voice speaks as usual")
    func unmeasurable() throws {
        let layout = try RealLayout()
        let home = layout.home
        try home.write("int nothing;\n", to: "empty.c")
        try home.write([], to: "broken/README")
        let built = try ChildProcess.run(
            "/usr/bin/env",
            ["gcc", "-shared", "-fPIC", "-o", home.file("broken/libebur128.so.1"), home.file("empty.c")])
        try #require(built.code == 0, "\(built.errors)")
        let libraries = [home.file("broken"), home.environment["LD_LIBRARY_PATH"]].compactMap { $0 }
        let broken = RealLayout.fast.merging(["LD_LIBRARY_PATH": libraries.joined(separator: ":")]) { $1 }
        let spoken = try home.runProcess(
            "speak", "-y", "-v", "Kristin", "Hello", "-o", home.file("a.wav"), adding: broken)
        #expect(spoken.code == 0, "\(spoken.errors)")
        #expect(try home.wav("a.wav").level > -40)
        #expect(
            spoken.errors.contains(
                "so this voice may be louder or softer than others. libebur128.so.1 cannot be used: it lacks a required function. "
                    + "Type: sudo apt install libebur128-1\n"), "\(spoken.errors)")
        let quiet = try home.runProcess("models", "pull", "Kristin", "--quiet", adding: broken)
        #expect(quiet.code == 0 && quiet.errors == "", "\(quiet.errors)")
        #expect(try told(layout, "Kristin").loudness == nil)
    }

    @Test("A download through the Swift library also measures the loudness")
    func library() async throws {
        let layout = try RealLayout()
        let host = SpeechHost(
            HostSetup(
                installation: try Installation(executable: "\(layout.home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: layout.home.environment), environment: layout.home.environment))
        var isReady = false
        var wasMeasuring = false
        // A slow consumer may miss states, but never receives a download state after a measurement state.
        for await state in host.download(try await host.voice("Kristin")) {
            if case .downloading = state { #expect(!wasMeasuring) }
            if case .measuring = state { wasMeasuring = true }
            if case .ready = state { isReady = true }
        }
        #expect(isReady)
        #expect(try told(layout, "Kristin").loudness != nil)
        for await state in host.download(try await host.voice("Kristin")) {
            if case .measuring = state { Issue.record("The loudness was measured again.") }
        }
    }
}
