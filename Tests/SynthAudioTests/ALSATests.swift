import Foundation
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthAudio

/// Each test runs in a separate process, because an environment variable selects the ALSA configuration.
@Suite("Playback with ALSA", .timeLimit(.minutes(60)))
struct ALSATests {
    private static func configure(_ folder: TemporaryFolder, _ text: String) throws {
        try text.write(toFile: folder.file("asound.conf"), atomically: true, encoding: .utf8)
        setenv("ALSA_CONFIG_PATH", folder.file("asound.conf"), 1)
    }

    @Test("A device receives every sample, including the last, in order")
    func fileDevice() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try Self.configure(
                folder,
                """
                pcm.recorder { type file slave.pcm { type null } file "\(folder.file("out.wav"))" format "wav" }
                """)
            let samples = Signals.noise(50_001, amplitude: 1, seed: 12)
            let sink = ALSASink(device: "recorder")
            try sink.begin(AudioFormat(sampleRate: 24_000, channels: 1))
            for piece in Signals.pieces(samples) { try sink.write(piece) }
            try sink.finish()
            let wav = try ParsedWAV(folder.data("out.wav"))
            #expect(wav.sampleRate == 24_000 && wav.channels == 1 && wav.bitsPerSample == 16)
            #expect(wav.samples == samples.map { FloatPCM.int16($0) })
        }
    }

    @Test("A device that supports only floats receives floats, and audio is converted to the device's rate")
    func conversion() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try Self.configure(
                folder,
                """
                pcm.floats { type lfloat slave.pcm { type null } slave.format S16_LE }
                pcm.fixed { type plug slave { pcm {
                    type file slave.pcm { type null } file "\(folder.file("out.wav"))" format "wav"
                } rate 48000 channels 2 format S16_LE } }
                """)
            let sink = ALSASink(device: "fixed")
            try sink.begin(AudioFormat(sampleRate: 24_000, channels: 1))
            try sink.write(Signals.tone(440, seconds: 1, sampleRate: 24_000)[...])
            try sink.finish()
            let wav = try ParsedWAV(folder.data("out.wav"))
            #expect(wav.sampleRate == 48_000 && wav.channels == 2)
            #expect(abs(wav.samples.count - 96_000) < 4800)
            let left = stride(from: 0, to: wav.samples.count, by: 2).map { Float(wav.samples[$0]) }
            #expect(abs(Signals.frequency(of: left, sampleRate: 48_000) - 440) < 2)

            let floats = ALSASink(device: "floats")
            try floats.begin(.silent)
            try floats.write(Signals.tone(440, seconds: 1, sampleRate: 22_050)[...])
            try floats.finish()
        }
    }

    @Test("A device that discards audio accepts all samples")
    func nullDevice() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try Self.configure(folder, "pcm.default { type null }")
            let sink = ALSASink()
            try sink.begin(.silent)
            try sink.write(Signals.tone(440, seconds: 5, sampleRate: 22_050)[...])
            #expect(sink.queuedFrames() >= 0)
            sink.stop()
            sink.stop()
            try sink.write([0.5])
            try sink.finish()
            #expect(sink.underrunCount == 0)
            try ALSADevice.probe("default")
        }
    }

    @Test("The error for an unknown device includes the device's name and lists the existing devices")
    func missingDevice() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try Self.configure(
                folder,
                """
                pcm.quiet { type null hint { show on description "Nobody hears it" } }
                """)
            let listed = ALSADevice.list()
            #expect(listed == [ALSADevice(name: "quiet", description: "Nobody hears it")])
            let error = #expect(throws: AudioError.self) { try ALSASink(device: "foo").begin(.silent) }
            #expect(error == .deviceMissing(device: "foo", known: ["quiet"]))
            #expect(error?.code == .deviceMissing)
            #expect(throws: AudioError.deviceMissing(device: "foo", known: ["quiet"])) { try ALSADevice.probe("foo") }
        }
    }

    @Test("If there are no devices, the error says so, and libasound prints no messages of its own")
    func bareMachine() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let folder = try TemporaryFolder()
            try Self.configure(folder, "# nothing")
            let error = #expect(throws: AudioError.self) { try ALSASink().begin(.silent) }
            #expect(error == .deviceMissing(device: "default", known: []))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(!text.contains("ALSA lib"))
    }
}
