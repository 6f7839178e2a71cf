package import SynthCatalogue
import SynthSystem

/// The speed at which a machine runs neural engines, in 10^9 multiply-adds per second.
package struct MachinePace: Equatable, Sendable {
    package let rate: Double

    /// Returns nil if the rate is not a positive number.
    package init?(rate: Double) {
        guard rate > 0, rate.isFinite else { return nil }
        self.rate = rate
    }

    /// - Parameter cost: the cost of synthesizing one second of a voice's speech, in 10^9 multiply-adds.
    package func estimate(cost: Double) -> PaceEstimate { PaceEstimate(realTimeFactor: cost / rate) }
}

/// An estimate of how fast a voice can be synthesized.
package struct PaceEstimate: Equatable, Sendable {
    /// The synthesis time per second of speech. A value above 1 means slower than real time.
    package let realTimeFactor: Double

    /// A safety factor for estimation errors and the load from other programs.
    private static let margin = 1.25

    package init(realTimeFactor: Double) { self.realTimeFactor = realTimeFactor }

    /// Whether synthesis is fast enough for playback without gaps.
    package var keepsUp: Bool { realTimeFactor * Self.margin <= 1 }

    /// The time that a recognizer takes to process a minute of speech, as a phrase.
    package var minuteWords: String {
        let seconds = realTimeFactor * 60
        if seconds < 90 { return "about \(max(1, Int(seconds.rounded()))) s for a minute of speech" }
        return "about \(Int(clamping: min(realTimeFactor.rounded(), 1_000_000))) minutes for a minute of speech"
    }

    /// How many times slower synthesis is than playback, such as "3.2". nil if synthesis is fast enough or only just
    /// too slow.
    package var factor: String? {
        let tenths = (realTimeFactor * 10).rounded()
        guard !keepsUp, tenths > 10 else { return nil }
        return tenths < 100 && tenths.truncatingRemainder(dividingBy: 10) != 0
            ? "\(tenths / 10)" : "\(Int(clamping: min(realTimeFactor.rounded(), 1_000_000)))"
    }

    /// A phrase that follows the voice's name in a sentence, or nil if synthesis is fast enough.
    package var words: String? {
        if keepsUp { return nil }
        guard let factor else { return "would be barely fast enough for playback on this machine" }
        return "would be about \(factor) times slower than playback on this machine"
    }
}

/// The voice to recommend on this machine.
package struct PaceAdvice: Sendable {
    package let voice: Voice
    /// If the best voice is too slow for this machine, that voice and its estimate; otherwise nil. If no other voice is
    /// faster, this is the same voice as `voice`.
    package let slower: (voice: Voice, estimate: PaceEstimate)?

    /// - Parameters:
    ///   - offers: the voices, best first.
    ///   - pace: the pace of this machine. If it is nil, the best voice is recommended.
    package init?(_ offers: [Voice], pace: MachinePace?) {
        guard let best = offers.first else { return nil }
        guard let estimate = Self.estimate(best, pace), !estimate.keepsUp else {
            voice = best
            slower = nil
            return
        }
        // Only voices of the same language are alternatives.
        let language = best.language.prefix { $0 != "-" }
        let others = offers.filter { $0.speaks(String(language)) && $0.cost != nil }
        let quickest = others.min { ($0.cost ?? 0) < ($1.cost ?? 0) }
        voice = others.first { Self.estimate($0, pace)?.keepsUp == true } ?? quickest ?? best
        slower = (best, estimate)
    }

    private static func estimate(_ voice: Voice, _ pace: MachinePace?) -> PaceEstimate? {
        guard let pace, let cost = voice.cost else { return nil }
        return pace.estimate(cost: cost)
    }
}

/// Stores the measured pace in a file, because a measurement takes half a second and its result depends only on the
/// processor and the engine.
struct PaceRecord {
    let path: String
    /// The processor and the engine, as one line of text.
    let subject: String

    /// Returns nil if no pace is stored, or if the stored pace is for another machine or engine.
    func read() -> MachinePace? {
        guard let bytes = try? readWholeFile(path, limit: 64 * 1024) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        guard lines.count == 2, lines[1] == subject, let rate = Double(lines[0]) else { return nil }
        return MachinePace(rate: rate)
    }

    /// Ignores errors, because the pace can be measured again.
    func write(_ pace: MachinePace) {
        makeFolder(of: path)
        try? replaceFile(path, with: Array("\(pace.rate)\n\(subject)\n".utf8))
    }
}

/// Identifies the processor, to distinguish machines with different speeds.
enum ProcessorIdentity {
    private static let names: Set<String> = [
        "vendor_id", "cpu family", "model", "model name", "cpu implementer", "cpu architecture", "cpu variant",
        "cpu part", "hardware", "uarch", "isa",
    ]

    static func current(threads: Int) -> String {
        let bytes = (try? readWholeFile("/proc/cpuinfo", limit: 16 << 20)) ?? []
        return text(of: String(decoding: bytes, as: UTF8.self), threads: threads)
    }

    /// The identity as one line of text.
    ///
    /// - Parameter description: the contents of `/proc/cpuinfo`: a block for each processor and, on ARM, a block for
    ///   the board.
    static func text(of description: String, threads: Int) -> String {
        var seen: Set<String> = []
        var facts: [String] = []
        for line in description.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1).map(trimmed)
            guard parts.count == 2, names.contains(parts[0].lowercased()) else { continue }
            let fact = "\(parts[0]) \(parts[1])"
            if seen.insert(fact).inserted { facts.append(fact) }
        }
        return (facts + ["threads \(threads)"]).joined(separator: "; ")
    }

    private static func trimmed(_ text: Substring) -> String {
        text.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }
}
