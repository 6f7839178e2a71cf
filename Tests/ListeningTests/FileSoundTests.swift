import Foundation
import SynthAudio
import SynthListening
import SynthEngineProcesses
import Testing
import TestSupport

@Suite("Reading an audio file for recognition", .ownThreads)
struct FileSoundTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ format: AudioFormat, seconds: Int) throws -> ClipFile {
        let samples = (0..<format.sampleRate * seconds * format.channels).map {
            sin(Float($0 / format.channels) * 440 * 2 * .pi / Float(format.sampleRate)) * 0.5
        }
        let sink = try SoundFileOptions(try SoundFileFormat.of(path: name)).sink(path: folder.file(name))
        try sink.begin(format)
        try sink.write(samples[...])
        try sink.finish()
        return ClipFile(path: folder.file(name))
    }

    private func all(_ sound: FileAudio, most: Int = 4096) -> [Float] {
        var samples: [Float] = []
        while case .frames(let more) = sound.next(most: most) {
            #expect(!more.isEmpty && more.count <= most)
            samples += more
        }
        #expect(sound.next(most: most) == .ended)
        return samples
    }

    @Test(
        "The audio is converted to mono at the recognizer's sample rate",
        arguments: ["a.wav", "a.flac", "a.opus", "a.mp3"])
    func formats(name: String) throws {
        let file = try write(name, AudioFormat(sampleRate: 48_000, channels: 2), seconds: 2)
        let sound = try FileAudio(file, rate: 16_000, longest: .seconds(60))
        let samples = all(sound)
        #expect(abs(samples.count - 32_000) <= 1600 && sound.failure == nil)
        let power = samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
        #expect(abs(power - 0.125) < 0.01)
        #expect(all(try FileAudio(file, rate: 16_000, longest: .seconds(60)), most: 1).prefix(9) == samples.prefix(9))
    }

    @Test(
        "The audio of a truncated file ends with an error, and files that are too long or contain no audio are rejected"
    )
    func failures() throws {
        let file = try write("a.flac", AudioFormat(sampleRate: 16_000, channels: 1), seconds: 4)
        let whole = try Data(contentsOf: URL(filePath: file.path))
        try folder.write(whole.prefix(whole.count / 2), to: "cut.flac")
        let cut = try FileAudio(ClipFile(path: folder.file("cut.flac")), rate: 16_000, longest: .seconds(60))
        #expect(all(cut).count < 64_000 && cut.failure != nil)
        #expect(throws: AudioError.self) { try FileAudio(file, rate: 16_000, longest: .seconds(2)) }
        try folder.write(Data("no sound".utf8), to: "text.wav")
        #expect(throws: AudioError.self) {
            try FileAudio(ClipFile(path: folder.file("text.wav")), rate: 16_000, longest: .seconds(60))
        }
        #expect(throws: AudioError.self) {
            try FileAudio(ClipFile(path: folder.file("none.wav")), rate: 16_000, longest: .seconds(60))
        }
    }
}
