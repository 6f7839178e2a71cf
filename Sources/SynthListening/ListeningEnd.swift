import Glibc
import SynthAudio

/// Decides when listening is over, by what is heard and not by a clock: the same sound ends at the same frame on any machine.
package struct ListeningEnd: Sendable {
    package enum Reason: Equatable, Sendable {
        /// Nobody spoke for as long as is waited for speech to begin.
        case nothingSaid
        /// Nobody spoke any more.
        case silence
        /// It took as long as it may.
        case timeout
        /// The recognizer needed no more.
        case understood
    }

    private let timeout: Int
    private let inactivity: Int
    private var isSpeech = false
    private var wasSpeech = false
    private var lastSpeech = 0

    /// - Parameters:
    ///   - rate: of the sound, in hertz.
    ///   - timeout: the longest sound, in seconds.
    ///   - inactivity: the longest silence after speech, in seconds. Before speech the time-out alone counts.
    package init(rate: Int, timeout: Double, inactivity: Double) {
        let frames = { (seconds: Double) in Int(min(max(0, seconds.isNaN ? 0 : seconds * Double(rate)), 1e15)) }
        self.timeout = frames(timeout)
        self.inactivity = frames(inactivity)
    }

    package mutating func speechBegins() {
        isSpeech = true
        wasSpeech = true
    }

    /// - Parameter frame: the frame after its last.
    package mutating func speechEnds(at frame: Int) {
        isSpeech = false
        lastSpeech = frame
    }

    /// Whether it is over after so many frames; nil = not yet.
    package func reason(at frame: Int) -> Reason? {
        if frame >= timeout { return wasSpeech ? .timeout : .nothingSaid }
        return wasSpeech && !isSpeech && frame - lastSpeech >= inactivity ? .silence : nil
    }

    /// So many more frames may come before it can be over.
    package func left(at frame: Int) -> Int {
        let end = wasSpeech && !isSpeech ? min(timeout, lastSpeech + inactivity) : timeout
        return max(0, end - frame)
    }
}

/// The level of each tenth of a second.
struct LevelMeter {
    private let block: Int
    private var count = 0
    private var power: Float = 0

    init(rate: Int) { block = max(1, rate / 10) }

    mutating func add(_ samples: ArraySlice<Float>) -> Decibels? {
        power = samples.reduce(power) { $0 + $1 * $1 }
        count += samples.count
        guard count >= block else { return nil }
        defer { (count, power) = (0, 0) }
        return Decibels(amplitude: max(1e-5, Double((power / Float(count)).squareRoot())))
    }
}
