import Foundation
import SynthSystem
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("A session with an engine in a separate process", .ownThreads)
struct RealSpeechTests {
    private let home: UserHome
    private let host: SpeechHost

    init() throws {
        home = try UserHome()
        host = try Self.host(of: home)
    }

    private static func host(of home: UserHome) throws -> SpeechHost {
        SpeechHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment), environment: home.environment))
    }

    @Test("A voice is found by its usual names, and an unknown name leads to suggestions")
    func voice() async throws {
        let voice = try await host.voice("Sine")
        #expect(voice.engine == "tone" && voice.name == "Sine" && voice.state == .ready)
        await #expect {
            _ = try await host.voice("Sinne")
        } throws: { error in
            (error as? SpeechError)?.facts.candidates.contains("Sine") == true
        }
        let voices = try await host.voices()
        #expect(voices.contains { $0.id == voice.id && $0.engine == "tone" })
        #expect(voices.count > 100)
    }

    @Test("The library writes the same file as the program")
    func file() async throws {
        let session = try await host.session(try await host.voice("Sine"))
        try await session.speak("One two. Three.").write(to: home.file("library.wav"))
        #expect(try home.runProcess("speak", "-v", "Sine", "One two. Three.", "-o", home.file("program.wav")).code == 0)
        #expect(try home.data("library.wav") == home.data("program.wav"))
    }

    @Test("A file's format is determined by its extension, and its metadata by the options")
    func formats() async throws {
        let session = try await host.session(try await host.voice("Sine"))
        let path = home.file("a.flac")
        try await session.speak("One two. Three.").write(to: home.file("a.wav"))
        try await session.speak("One two. Three.")
            .write(to: path, SpeechFileOptions(title: "Numbers", author: "Nobody"))
        let decoded = try DecodedSound(path: path)
        let label = try decoded.label()
        #expect(label.codec == "flac")
        #expect(decoded.samples == (try home.wav("a.wav").samples))
        #expect(label.tags["title"] == "Numbers" && label.tags["artist"] == "Nobody")
        for format in SpeechFileOptions.Format.allCases {
            try await session.speak("One.").write(to: home.file("b"), SpeechFileOptions(format: format, quality: 0))
            #expect(try DecodedSound(path: home.file("b")).seconds > 0.1)
        }
    }

    @Test("A file whose name and options do not match is rejected before anything is spoken")
    func wrongFormat() async throws {
        let session = try await host.session(try await host.voice("Sine"))
        let speech = session.speak("One.")
        let error = await #expect(throws: SpeechError.self) { try await speech.write(to: home.file("a.xyz")) }
        guard error?.code == .formatUnknown, error?.facts.path == home.file("a.xyz") else {
            Issue.record("\(String(describing: error))")
            return
        }
        let other = await #expect(throws: SpeechError.self) {
            try await speech.write(to: home.file("a.mp3"), SpeechFileOptions(format: .opus))
        }
        guard other?.code == .formatContradicted, other?.facts.name == "Opus" else {
            Issue.record("\(String(describing: other))")
            return
        }
        // The speech can still be used after the rejection.
        try await speech.write(to: home.file("a.opus"))
        #expect(home.exists("a.opus"))
    }

    @Test("A session survives a crash of its engine")
    func crash() async throws {
        try home.install("reed")
        let host = try Self.host(of: home)
        let session = try await host.session(try await host.voice("Slow"))
        var parts = session.speak(String(repeating: "A long text that takes its time. ", count: 100))
            .makeAsyncIterator()
        _ = try await parts.next(isolation: nil)
        // The process that described the engine may not have exited yet.
        let workers = ProcessTable.children(of: getpid()).filter { ProcessTable.command(of: $0).contains(home.plugins) }
        #expect(!workers.isEmpty)
        for worker in workers { kill(worker, SIGKILL) }
        await #expect {
            while try await parts.next(isolation: nil) != nil {}
        } throws: { error in
            (error as? SpeechError)?.facts.engine == "reed" && (error as? SpeechError)?.facts.signal == SIGKILL
        }
        try await session.speak("One.").write(to: home.file("x.wav"))
        #expect(try !home.wav("x.wav").samples.isEmpty)
    }

    @Test("Words in real speech have the correct ranges in the text", arguments: [1.0, 2.0])
    func words(rate: Double) async throws {
        let text = "Grüße aus Köln. Zwei drei."
        let session = try await host.session(try await host.voice("German"))
        var words: [String] = []
        var frames = 0
        for try await part in session.speak(text, SpeechOptions(rate: rate)) {
            switch part {
            case .word(let event):
                #expect(event.frame >= frames)
                words.append(String(decoding: Array(text.utf8)[event.source], as: UTF8.self))
            case .audio(let audio): frames = audio.frame + audio.samples.count
            default: break
            }
        }
        #expect(
            words.map { $0.trimmingCharacters(in: .punctuationCharacters) } == ["Grüße", "aus", "Köln", "Zwei", "drei"])
    }
}
