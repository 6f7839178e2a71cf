import Glibc

/// Synthetic audio for recognizers.
struct ProbeSound {
    /// The name of the audio, phrased to follow "transcribing" in a message.
    let name: String
    let samples: [Float]

    /// Three seconds with two voice-like segments, surrounded by silence.
    static func three(_ rate: Int) -> ProbeSound {
        ProbeSound(
            name: "three seconds of tones",
            samples: silence(0.4, rate) + voice(0.8, rate, pitch: 120) + silence(0.6, rate)
                + voice(0.5, rate, pitch: 180) + silence(0.7, rate))
    }

    /// Returns different audio for each parallel lane.
    static func ofLane(_ number: Int, _ rate: Int) -> ProbeSound {
        ProbeSound(
            name: "the audio of lane \(number)",
            samples: silence(0.3, rate) + voice(0.4 + 0.15 * Double(number), rate, pitch: 90 + 30 * Double(number))
                + silence(0.5, rate))
    }

    /// Audio that contains at most one word.
    static func short(_ rate: Int) -> ProbeSound {
        ProbeSound(name: "a short recording", samples: silence(0.05, rate) + voice(0.15, rate, pitch: 150))
    }

    /// Alternating tones and silence.
    static func long(_ seconds: Int, _ rate: Int) -> ProbeSound {
        let second = voice(0.7, rate, pitch: 140) + silence(0.3, rate)
        return ProbeSound(name: "\(seconds) seconds of tones", samples: (0..<seconds).flatMap { _ in second })
    }

    static let nothing = ProbeSound(name: "audio without frames", samples: [])

    /// Valid audio that no microphone produces.
    static func unusual(_ rate: Int) -> [ProbeSound] {
        let count = 2 * rate
        func made(_ name: String, _ count: Int, _ sample: (Int) -> Float) -> ProbeSound {
            ProbeSound(name: name, samples: (0..<count).map(sample))
        }
        var generator = ProbeGenerator(seed: 3)
        let hiss = (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
        return [
            made("a full-scale square wave", count) { $0 / 20 % 2 == 0 ? 1 : -1 },
            made("a constant 1", count) { _ in 1 }, made("a constant -1", count) { _ in -1 },
            made("denormal numbers", count) { Float(bitPattern: UInt32($0 % 1000) + 1) },
            made("negative zeros", rate) { _ in -0.0 },
            made("clicks", count) { $0 % 4000 == 0 ? 1 : 0 }, ProbeSound(name: "noise", samples: hiss),
            made("one frame", 1) { _ in 0.5 }, made("seven frames", 7) { _ in -0.5 },
            made("a minute of silence", 60 * rate) { _ in 0 },
        ]
    }

    static func silence(_ seconds: Double, _ rate: Int) -> [Float] {
        [Float](repeating: 0, count: Int(seconds * Double(rate)))
    }

    /// Harmonics of a rising and falling tone, with four syllables per second and some noise.
    static func voice(_ seconds: Double, _ rate: Int, pitch: Double) -> [Float] {
        var generator = ProbeGenerator(seed: UInt64(pitch))
        var phase = 0.0
        return (0..<Int(seconds * Double(rate))).map { index in
            let time = Double(index) / Double(rate)
            phase += 2 * Double.pi * pitch * (1 + 0.1 * sin(7 * time)) / Double(rate)
            let tone = sin(phase) + 0.5 * sin(2 * phase) + 0.3 * sin(5 * phase) + 0.2 * sin(9 * phase)
            let breath = Double.random(in: -0.1...0.1, using: &generator)
            return Float((0.2 + 0.1 * sin(2 * Double.pi * 4 * time)) * (tone + breath))
        }
    }
}

/// SplitMix64. The same seed generates the same numbers on every machine.
struct ProbeGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
