import Glibc

/// Finds where speech begins and ends by how loud it is: a spare for a detector that knows speech from other sounds.
///
/// What is at least 10 dB louder than the quietest of the last seconds, and not very quiet, counts as speech, unless it is as even as
/// no voice is: a tone, a fan. Music it takes for speech, and what is said in noise that is as loud it does not find.
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
    /// A sound that has so many blocks of one loudness, to this many decibels, is no speech. One whose blocks differ more may
    /// be taken for speech before it has as many.
    private static let steadyBlocks = 20
    private static let steadyRange: Float = 4

    private let block: Int
    private var rest: [Float] = []
    private var blocks = 0
    /// The levels of the last blocks.
    private var levels: [Float] = []
    /// The same of the differences between neighbours, in which rumble is no louder than the rest.
    private var changes: [Float] = []
    private var last: Float = 0
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
            if let event = take(rest[place..<place + block]) { events.append(event) }
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

    /// Whether what is loud differs enough to be speech, or has had the time to show that it is even. That a tone begins is
    /// no difference.
    private var isUneven: Bool {
        let begin = 3
        return loud > Self.steadyBlocks + begin || range(changes.suffix(max(0, loud - begin))) >= Self.steadyRange
    }

    private func range(_ levels: ArraySlice<Float>) -> Float {
        guard let most = levels.max(), let least = levels.min() else { return 0 }
        return most - least
    }

    /// Decibels below full scale, of the sum of the squares of a block.
    private func level(of power: Float) -> Float { 10 * log10(max(power / Float(block), 1e-12)) }
}
