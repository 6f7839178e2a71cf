import Foundation
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("The dialogue in the library's guide", .ownThreads, .enabled(if: BuildFolder.hasNeuralEngines))
struct DialogueTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let voice = root.appending(path: "Tests/Fixtures/Voices/en_US-tern-x_low.onnx").path

    /// A home folder with a Piper voice called Kristin and two audio files.
    private func home() throws -> UserHome {
        let home = try UserHome(programs: BuildFolder.path)
        #expect(try home.runProcess("models", "add", Self.voice, "--name", "Kristin").code == 0)
        for name in ["bell", "rain"] {
            let written = try home.runProcess("speak", "-v", "Sine", "Ding dong", "-o", home.file("\(name).wav"))
            #expect(written.code == 0, "\(written.errors)")
        }
        return home
    }

    // The code between the two markers must be identical to that in the guide.
    private func dialogue(_ host: SpeechHost, in folder: String) async throws {
        let (bell, rain, file) = ("\(folder)/bell.wav", "\(folder)/rain.wav", "\(folder)/dialogue.mp3")
        // begin
        let queue = SpeechQueue(host)
        queue.append(.clip(rain, gain: .decibels(-20)), to: "background")
        queue.append(.speech("Who is there?", voice: "Kristin"))
        queue.append(.clip(bell, gain: .decibels(-6)))
        queue.append(.pause(.milliseconds(500)))
        queue.append(.speech("Only the wind.", voice: "English (America)"))
        try await queue.write(to: file)
        // end
    }

    private static func readme() throws -> String {
        try String(contentsOf: root.appending(path: "Sources/synthhost-cli/Guides/library.md"), encoding: .utf8)
    }

    @Test("The dialogue in the guide is identical to the code that this test runs")
    func text() throws {
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let body = source.components(separatedBy: "        // begin\n")[1].components(separatedBy: "        // end\n")[
            0]
        let lines = body.replacingOccurrences(of: "\n        ", with: "\n").dropFirst(8)
        #expect(try Self.readme().contains(lines), "\(lines)")
    }

    @Test("The Swift code writes the dialogue to a file")
    func swift() async throws {
        let home = try home()
        let host = SpeechHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment), environment: home.environment))
        try await dialogue(host, in: home.path)
        let sound = try DecodedSound(path: home.file("dialogue.mp3"))
        #expect((2...20).contains(sound.seconds))
    }

    @Test("One shell command speaks the dialogue")
    func shell() throws {
        let home = try home()
        try FileManager.default.createDirectory(atPath: home.file("sounds"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: home.file("bell.wav"), toPath: home.file("sounds/bell.wav"))
        let line = try #require(
            Self.readme().split(separator: "\n").first { $0.hasPrefix("$ synthhost speak --tokens --clips") })
        let command = "cd \"$HOME\" && \"$PROGRAM\" \(line.dropFirst("$ synthhost ".count))"
        let shell = try ChildProcess(
            "/bin/sh", arguments: ["-c", command].map { Array($0.utf8) },
            environment: home.environment.merging(["PROGRAM": "\(home.programs)/synthhost"]) { $1 })
        let result = try shell.finish()
        #expect(result.code == 0, "\(result.errors)")
        let samples = try home.wav("dialogue.wav").samples
        var (run, longest) = (0, 0)
        for sample in samples {
            run = sample == 0 ? run + 1 : 0
            longest = max(longest, run)
        }
        let rate = Double(try home.wav("dialogue.wav").sampleRate)
        #expect(Double(longest) / rate >= 0.5)
        #expect(Double(samples.count) / rate > 2)
    }
}
