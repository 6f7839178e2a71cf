import Foundation
import SynthAudio
import SynthCatalogue
import SynthModelStore
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

/// A new user's home whose store contains voices that have never been measured.
struct MeasuredHome {
    let home: UserHome
    let host: LocalHost

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/Voices")

    init(programs: String = BuildFolder.path) throws {
        home = try UserHome(programs: programs)
        host = LocalHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment), environment: home.environment))
    }

    private func add(_ take: (Addition) throws -> Void) throws -> Voice {
        let addition = try host.store.beginAdding()
        defer { addition.discard() }
        try take(addition)
        return try #require(try addition.commit().first).voice
    }

    private static func fixture(_ name: String) -> String { fixtures.appending(path: name).path }

    func addPiper() throws -> Voice {
        try add { addition in
            _ = try addition.take(
                Self.fixture("en_US-tern-x_low.onnx"),
                as: VoiceDocument(own: "tern", engine: "piper", name: "Tern", language: "en-US"))
        }
    }

    func addKokoro(_ id: String) throws -> Voice {
        try add { addition in
            let voice = VoiceDocument(own: id, engine: "kokoro", name: id, language: "en-US")
            _ = try addition.take(
                model: [AddedFile(role: "model", path: Self.fixture("kokoro-tern.onnx"))],
                [(voice, [AddedFile(role: "style", path: Self.fixture("\(id).bin"))])])
        }
    }

    /// Adds a voice of the engine Moody. The first letter in its file determines its behavior.
    func addMoody(_ mood: String) throws -> Voice {
        try home.install("moody")
        try home.write(mood, to: "a.mood")
        return try add { addition in
            _ = try addition.take(
                home.file("a.mood"),
                as: VoiceDocument(own: "a", engine: "moody", name: mood, language: "en"), roles: [".mood": "mood"])
        }
    }

    func record(of voice: Voice) throws -> Data {
        let installed = try #require(host.store.installedVoice(id: voice.id))
        return try Data(contentsOf: URL(filePath: "\(installed.folder)/installed.json"))
    }

    /// Returns the loudness of the text as played, in LUFS.
    func loudness(_ text: String, of voice: Voice) async throws -> Double {
        let session = try host.snapshot().session(VoiceChoice(voice: voice))
        try await session.speak(text).write(to: home.file("heard.wav"))
        let wav = try home.wav("heard.wav")
        let meter = try LoudnessMeter(format: AudioFormat(sampleRate: wav.sampleRate, channels: wav.channels))
        try meter.add(wav.samples.map { Float($0) / 32_768 })
        return try #require(meter.loudness).integrated
    }
}
