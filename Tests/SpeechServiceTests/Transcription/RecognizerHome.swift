import Foundation
import SynthEngineProcesses
import SynthHost
import SynthService
import TestNumbers
import TestSupport

/// The home of a user who has selected a recognizer, either the scripted recognizer or one with a fault.
struct RecognizerHome {
    let home: UserHome
    let host: SpeechHost

    /// - Parameters:
    ///   - recognizer: A source file in `Plugins` or `Tests/Fixtures/Engines`.
    ///   - choices: Macros of the form `NAME=value` or `NAME`.
    ///   - id: The recognizer's ID.
    init(
        _ recognizer: String = "Plugins/Scripted/scripted", _ choices: [String] = [], as id: String = "scripted",
        limits: EngineLimits = .patient
    ) throws {
        home = try UserHome()
        try home.install(recognizer, choices, as: id)
        var presets = Configuration()
        presets.recognizer = id
        host = SpeechHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment), environment: home.environment
            ) {
                $0.limits = limits
                $0.presets = presets
            })
    }

    /// Samples at 16 kHz that alternate between a tone, which the recognizer treats as speech, and silence. The lengths are in seconds.
    static func stretches(_ lengths: [(tone: Double, silence: Double)]) -> [Int16] {
        lengths.flatMap { tone, silence in
            (0..<Int(tone * 16_000)).map { Int16(sin(Double($0) * 0.3) * 16_000) }
                + [Int16](repeating: 0, count: Int(silence * 16_000))
        }
    }

    /// Two sentences, separated by a pause that is long enough.
    static let twice = stretches([(0.5, 1), (0.5, 0.5)])

    /// A 16-bit WAV file.
    ///
    /// - Parameters:
    ///   - bits: The number of bits per sample that the header states.
    ///   - stated: The number of audio bytes that the header states; nil for the actual number.
    static func wav(
        _ sound: [UInt8], rate: UInt32 = 16_000, channels: UInt16 = 1, bits: UInt16 = 16, tag: UInt16 = 1,
        stated: UInt32? = nil
    ) -> [UInt8] {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        let length = stated ?? UInt32(sound.count)
        let frame = channels * (bits / 8)
        return Array("RIFF".utf8) + bytes(length &+ 36) + Array("WAVEfmt ".utf8) + bytes(UInt32(16)) + bytes(tag)
            + bytes(channels) + bytes(rate) + bytes(rate &* UInt32(frame)) + bytes(frame) + bytes(bits)
            + Array("data".utf8) + bytes(length) + sound
    }

    static let talk = wav(PCMBytes.bytes(twice))
}
