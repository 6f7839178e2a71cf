import Glibc
import SynthAudio
import SynthSystem

/// The frames of a take and the speech in them.
struct ScriptedTake: Sendable {
    struct Stretch: Sendable {
        let sound: ScriptedRecognizer.Sound
        let frames: Range<Int>
    }
    struct Speech: Sendable {
        struct Word: Sendable {
            let text: Range<Int>
            let frames: Range<Int>
        }
        let text: String
        let confidence: Double?
        let words: [Word]
    }

    let stretches: [Stretch]
    let speeches: [Speech]
    /// The frame at which the recognizer crashes, or nil if it does not.
    let crash: Int?
    var count: Int { stretches.last?.frames.upperBound ?? 0 }

    private static let rate = Int(ScriptedRecognizer.rate)
    /// The length of a syllable in frames: 100 ms, so that every 100 ms of speech is equally loud.
    private static let syllable = rate / 10

    init(_ take: ScriptedRecognizer.Take) {
        var stretches: [Stretch] = []
        var speeches: [Speech] = []
        var position = 0
        for sound in take {
            let count = Int((max(.zero, sound.duration).seconds * Double(Self.rate)).rounded())
            let frames = position..<position + count
            stretches.append(Stretch(sound: sound, frames: frames))
            if case .speech(let text, let confidence) = sound.content {
                speeches.append(Speech(text: text, confidence: confidence, words: Self.words(of: text, in: frames)))
            }
            position += count
        }
        self.stretches = stretches
        self.speeches = speeches
        crash = stretches.first { $0.sound.content == .crash }?.frames.lowerBound
    }

    private static func words(of text: String, in frames: Range<Int>) -> [Speech.Word] {
        let words = text.utf8.split(separator: UInt8(ascii: " "))
        return words.enumerated().map { index, word in
            let start = text.utf8.distance(from: text.startIndex, to: word.startIndex)
            let position = { (number: Int) in frames.lowerBound + frames.count * number / words.count }
            return Speech.Word(text: start..<start + word.count, frames: position(index)..<position(index + 1))
        }
    }

    /// Returns the stretch that contains a frame, skipping the first `passed` stretches. Returns nil after the last
    /// stretch.
    func stretch(at frame: Int, after passed: Int) -> (index: Int, stretch: Stretch)? {
        stretches.enumerated().dropFirst(passed).first { $1.frames.upperBound > frame || $1.frames.isEmpty }
            .map { ($0.offset, $0.element) }
    }

    /// Returns frames from a stretch. The result is deterministic.
    static func samples(of stretch: Stretch, _ frames: Range<Int>) -> [Float] {
        let amplitude = Float(Decibels(stretch.sound.level).amplitude)
        switch stretch.sound.content {
        case .speech: return frames.map { amplitude * voice(at: $0 - stretch.frames.lowerBound) }
        case .noise:
            return frames.map { frame in
                // All samples have the same magnitude, so that all parts are equally loud. The sign is a hash of the position.
                let hash = UInt64(truncatingIfNeeded: frame) &* 0x9E37_79B9_7F4A_7C15
                return (hash ^ hash >> 29) & 0x1_0000 == 0 ? amplitude : -amplitude
            }
        case .silence, .held, .unplugged, .crash: return [Float](repeating: 0, count: frames.count)
        }
    }
    /// Returns a sample of a 200 Hz voice that speaks ten syllables per second, with a mean square of 1.
    private static func voice(at frame: Int) -> Float {
        let time = 2 * Float.pi * Float(frame)
        let loudness = (1 - cos(time / Float(syllable))) / Float(1.5).squareRoot()
        return Float(2).squareRoot() * sin(time * 200 / Float(rate)) * loudness
    }
}
