import EngineKit
import Foundation
import SynthRecognizerParts
import Testing

@testable import SynthWhisper

@Suite("Log-mel features") struct LogMelTests {
    private func compare(_ values: [[Double]], bands: Int, seconds: Double) throws {
        var mel = LogMel(bandCount: bands)
        let features = try mel.features(of: Fixture.sound(seconds))
        #expect(features.count == bands * 3000 && values.count == 60)
        for value in values {
            let found = features[Int(value[0]) * 3000 + Int(value[1])]
            #expect(abs(Double(found) - value[2]) < 1e-4, "Band \(value[0]), frame \(value[1])")
        }
    }

    @Test("The features of short audio match the reference") func short() throws {
        let expected = try Fixture.expected()
        try compare(expected.mel80, bands: 80, seconds: 2.3)
        try compare(expected.mel128, bands: 128, seconds: 2.3)
    }

    @Test("The features of long audio, including its reflected end, match the reference") func long() throws {
        try compare(try Fixture.expected().melLong, bands: 80, seconds: 31)
    }

    @Test("With fewer frames, the features match the full set of features up to the end of the audio")
    func fewer() throws {
        var mel = LogMel(bandCount: 80)
        let whole = try mel.features(of: Fixture.sound(2))
        let part = try mel.features(of: Fixture.sound(2), frames: 400)
        #expect(part.count == 80 * 400)
        for band in 0..<80 { #expect(part[band * 400..<(band + 1) * 400] == whole[band * 3000..<band * 3000 + 400]) }
    }

    @Test(
        "Padding with zeros replaces only the frames after the end of the audio",
        arguments: [0, 1, 16_000, 32_079, 480_000])
    func padding(_ count: Int) throws {
        var mel = LogMel(bandCount: 80)
        let sound = Fixture.sound(30).prefix(count)
        let (silence, zero) = (try mel.features(of: sound), try mel.features(of: sound, padding: .zero))
        let end = min(3000, count / 160 + 1)
        for band in 0..<80 {
            let (first, last) = (band * 3000, band * 3000 + end)
            #expect(zero[first..<last] == silence[first..<last])
            #expect(zero[last..<first + 3000].allSatisfy { $0 == 0 })
        }
    }

    @Test("The features of empty audio and of silence are constant") func silence() throws {
        var mel = LogMel(bandCount: 80)
        #expect(Set(try mel.features(of: [])) == [-1.5])
        #expect(Set(try mel.features(of: [Float](repeating: 0, count: 5000))) == [-1.5])
    }

    @Test("NaN, infinite and oversized samples are rejected", arguments: [Float.nan, .infinity, -.infinity, 30_000])
    func noNumbers(_ number: Float) throws {
        var mel = LogMel(bandCount: 80)
        var sound = Fixture.sound(0.1)
        sound[700] = number
        #expect(throws: EngineError.self) { try mel.features(of: sound) }
    }

    @Test("The mel filters are triangles of equal area") func triangles() {
        for count in [80, 128] {
            let bands = MelBand.slaney(count, bins: 201)
            #expect(bands.count == count)
            // These filters are wide compared to the spectrum's bin spacing of 40 Hz.
            for band in bands.suffix(20) {
                let sum = band.weights.reduce(0, +)
                #expect(abs(sum * 40 - 1) < 0.02)
            }
        }
    }
}
