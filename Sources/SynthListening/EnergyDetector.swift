import Glibc

/// Detects speech by its loudness, as a fallback for a voice activity detector.
///
/// A block is classified as speech if its level exceeds a minimum and is at least 10 dB above that of the quietest
/// block in the last few seconds, unless the level is too steady for a voice (for example, a tone or a fan). Music is
/// misclassified as speech, and speech in equally loud noise is missed.
package struct EnergyDetector {
    /// The start or end of speech, with its frame number.
    package enum Event: Equatable, Sendable {
        case begins(Int)
        /// Speech ended before this frame.
        case ends(Int)
    }

    /// The number of loud 10 ms blocks after which speech starts, and the number of quiet blocks after which it ends.
    private static let loudToBegin = 6
    private static let quietToEnd = 30
    /// Levels in decibels: the minimum level of speech, and the required margin above the noise at the start of speech
    /// and during speech.
    private static let floor: Float = -50
    private static let margin: Float = 10
    private static let lowerMargin: Float = 6
    /// The number of recent blocks whose minimum level is used as the noise level.
    private static let memory = 300
    /// Audio is not speech if the levels of `steadyBlocks` consecutive blocks stay within a range of `steadyRange`
    /// decibels. Audio whose level varies more may be accepted earlier.
    private static let steadyBlocks = 20
    private static let steadyRange: Float = 4

    private let block: Int
    private var rest: [Float] = []
    private var blocks = 0
    /// The levels of the most recent blocks.
    private var levels: [Float] = []
    /// The levels of the differences between adjacent samples. Taking differences attenuates low-frequency rumble.
    private var changes: [Float] = []
    private var last: Float = 0
    private var loud = 0
    private var quiet = 0

    package private(set) var isSpeech = false

    /// - Parameter rate: the sample rate in hertz.
    package init(rate: Int) { block = max(1, rate / 100) }

    /// Adds audio and returns the newly detected events. The end of speech is reported with a delay of 300 ms.
    package mutating func add(_ samples: some Collection<Float>) -> [Event] {
        rest += samples
        var events: [Event] = []
        var position = 0
        while position + block <= rest.count {
            if let event = take(rest[position..<position + block]) { events.append(event) }
            position += block
        }
        rest.removeFirst(position)
        return events
    }

    /// Marks the end of the audio. Returns the end of speech if it has not been reported yet.
    package mutating func finish() -> Event? {
        guard isSpeech else { return nil }
        isSpeech = false
        return .ends((blocks - quiet) * block)
    }

    private mutating func take(_ samples: ArraySlice<Float>) -> Event? {
        let level = level(of: samples.reduce(0 as Float) { $0 + $1 * $1 })
        var change: Float = 0
        for sample in samples {
            change += (sample - last) * (sample - last)
            last = sample
        }
        changes.append(self.level(of: change))
        if changes.count > Self.steadyBlocks { changes.removeFirst() }
        levels.append(level)
        if levels.count > Self.memory { levels.removeFirst() }
        blocks += 1
        let noise = max(levels.min() ?? level, Self.floor - Self.margin)
        var isLoud = level > max(Self.floor, noise + (isSpeech ? Self.lowerMargin : Self.margin))
        if isLoud, changes.count == Self.steadyBlocks, range(changes[...]) < Self.steadyRange {
            isLoud = false
            quiet = max(quiet, Self.steadyBlocks - 1)
        }
        loud = isLoud ? loud + 1 : 0
        quiet = isLoud ? 0 : quiet + 1
        if !isSpeech, loud >= Self.loudToBegin, isUneven {
            isSpeech = true
            return .begins((blocks - loud) * block)
        }
        if isSpeech, quiet >= Self.quietToEnd {
            isSpeech = false
            return .ends((blocks - quiet) * block)
        }
        return nil
    }

    /// Whether the level of the loud part varies enough for speech. Also true if the part is so long that a steady
    /// level would already have been detected. Ignores the variation at the onset of a tone.
    private var isUneven: Bool {
        let begin = 3
        return loud > Self.steadyBlocks + begin || range(changes.suffix(max(0, loud - begin))) >= Self.steadyRange
    }

    private func range(_ levels: ArraySlice<Float>) -> Float {
        guard let most = levels.max(), let least = levels.min() else { return 0 }
        return most - least
    }

    /// Returns the mean level of a block in dBFS.
    private func level(of power: Float) -> Float { 10 * log10(max(power / Float(block), 1e-12)) }
}
