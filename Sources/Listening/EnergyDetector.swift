import Glibc

/// Finds where speech begins and ends by how loud it is: a spare for a detector that knows speech from other sounds.
///
/// What is at least 10 dB louder than the quietest of the last seconds, and not very quiet, counts as speech. Noise that is as loud
/// as speech, and music, it takes for speech.
package struct EnergyDetector {
    package enum Event: Equatable, Sendable {
        /// Of its first frame.
        case begins(Int)
        /// Of the frame after its last.
        case ends(Int)
    }

    /// Blocks of 10 ms: how many loud ones begin speech, and how many quiet ones end it.
    private static let loudToBegin = 6
    private static let quietToEnd = 30
    /// Decibels: below it nothing is speech, and how much louder than the noise speech is, at its begin and afterwards.
    private static let floor: Float = -50
    private static let margin: Float = 10
    private static let lowerMargin: Float = 6
    /// The noise is the quietest of so many blocks.
    private static let memory = 300

    private let block: Int
    private var rest: [Float] = []
    private var blocks = 0
    /// The levels of the last blocks.
    private var levels: [Float] = []
    private var loud = 0
    private var quiet = 0

    package private(set) var isSpeech = false

    /// - Parameter rate: of the sound, in hertz.
    package init(rate: Int) { block = max(1, rate / 100) }

    /// Takes more of the sound. An end is known 300 ms after it.
    package mutating func add(_ samples: some Collection<Float>) -> [Event] {
        rest += samples
        var events: [Event] = []
        var place = 0
        while place + block <= rest.count {
            if let event = take(level(rest[place..<place + block])) { events.append(event) }
            place += block
        }
        rest.removeFirst(place)
        return events
    }

    /// The sound has ended.
    package mutating func finish() -> Event? {
        guard isSpeech else { return nil }
        isSpeech = false
        return .ends((blocks - quiet) * block)
    }

    private mutating func take(_ level: Float) -> Event? {
        levels.append(level)
        if levels.count > Self.memory { levels.removeFirst() }
        blocks += 1
        let noise = max(levels.min() ?? level, Self.floor - Self.margin)
        let isLoud = level > max(Self.floor, noise + (isSpeech ? Self.lowerMargin : Self.margin))
        loud = isLoud ? loud + 1 : 0
        quiet = isLoud ? 0 : quiet + 1
        if !isSpeech, loud >= Self.loudToBegin {
            isSpeech = true
            return .begins((blocks - loud) * block)
        }
        if isSpeech, quiet >= Self.quietToEnd {
            isSpeech = false
            return .ends((blocks - quiet) * block)
        }
        return nil
    }

    /// Decibels below full scale.
    private func level(_ samples: ArraySlice<Float>) -> Float {
        let power = samples.reduce(0 as Float) { $0 + $1 * $1 } / Float(samples.count)
        return 10 * log10(max(power, 1e-12))
    }
}
