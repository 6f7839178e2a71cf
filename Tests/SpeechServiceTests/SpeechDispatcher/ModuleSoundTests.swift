import SynthHost
import Testing
import TestSupport

@testable import SynthSpeechDispatcher

@Suite("Audio for speech-dispatcher")
struct ModuleSoundTests {
    private let format = SpeechFormat(sampleRate: 24_000, channels: 1)

    /// Returns the sample with this 16-bit pattern.
    private static func sample(_ bits: Int) -> Float { Float(Int16(truncatingIfNeeded: bits)) / 32_768 }

    @Test("Any audio survives a round trip through writing and reading")
    func roundTrip() throws {
        for high in stride(from: 0, to: 65_536, by: 4096) {
            let values = Array(high..<high + 4096)
            let event = ModuleSound.event(values.map(Self.sample)[...], format)
            var messages = ModuleMessages()
            messages.append(event)
            let read = messages.next()
            let message = try #require(read)
            #expect(message.sound == values.map { Int16(truncatingIfNeeded: $0) })
            let rest = messages.next()
            #expect(rest == nil && messages.isEmpty)
        }
    }

    @Test("The format precedes the audio and is followed by the only line break")
    func head() {
        let event = ModuleSound.event(
            [Self.sample(0x0A7D), Self.sample(0x7D0A)], SpeechFormat(sampleRate: 8000, channels: 2))
        let head =
            "705-bits=16\n705-num_channels=2\n705-sample_rate=8000\n705-num_samples=1\n705-big_endian=0\n705-AUDIO\0"
        let body: [UInt8] = [0x7D, 0x5D, 0x7D, 0x2A, 0x7D, 0x2A, 0x7D, 0x5D]
        #expect(event == Array(head.utf8) + body + Array("\n705 AUDIO\n".utf8))
    }

    @Test("Audio is sent in small chunks, which end at marks")
    func marks() {
        var sound = MarkedSound()
        func mark(_ name: String, _ frame: Int) -> Speech.Part {
            .mark(Speech.Event(frame: frame, source: 0..<0), name: name)
        }
        let samples = (0..<20_000).map { Float($0) }
        #expect(sound.pieces(of: .format(format)).isEmpty)
        #expect(sound.pieces(of: mark("a", 0)).isEmpty)
        #expect(sound.pieces(of: mark("b", 6000)).isEmpty)
        #expect(sound.pieces(of: mark("c", 6000)).isEmpty)
        let pieces = sound.pieces(of: .audio(Speech.Audio(frame: 0, samples: samples)))
        let expected: [MarkedSound.Piece] = [
            .mark("a"), .sound(samples[0..<5000]), .sound(samples[5000..<6000]), .mark("b"), .mark("c"),
            .sound(samples[6000..<11_000]), .sound(samples[11_000..<16_000]), .sound(samples[16_000...]),
        ]
        #expect(pieces == expected)
        #expect(sound.pieces(of: mark("d", 20_000)).isEmpty)
        #expect(sound.ending() == [.mark("d")])
        #expect(sound.ending().isEmpty)
    }

    @Test("Chunks contain complete frames", arguments: 1...3)
    func frames(channels: Int) {
        var sound = MarkedSound()
        _ = sound.pieces(of: .format(SpeechFormat(sampleRate: 16_000, channels: channels)))
        let samples = [Float](repeating: 0, count: channels * 12_345)
        let pieces = sound.pieces(of: .audio(Speech.Audio(frame: 7, samples: samples)))
        let counts = pieces.map { if case .sound(let samples) = $0 { samples.count } else { 0 } }
        #expect(counts.reduce(0, +) == samples.count)
        #expect(counts.allSatisfy { $0 > 0 && $0 % channels == 0 && $0 * 2 <= 10_000 })
    }
}
