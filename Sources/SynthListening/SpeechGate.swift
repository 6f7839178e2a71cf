package import SynthEngineWire
package import SynthEngineProcesses
package import SynthSystem

/// Keeps from a recognizer what nobody said, because recognizers invent text for music and noise: what a detector does not take
/// for speech becomes silence, and a sound without speech is not listened to. Frames stay where they are.
///
/// Without a detector, loudness only bounds the times of words.
package struct SpeechGate: Sendable {
    package let takeDetector: @Sendable () -> (any HearingLane)?
    package let giveBack: @Sendable (any HearingLane) -> Void

    /// Each may be called from several threads at once.
    ///
    /// - Parameters:
    ///   - takeDetector: nil = there is none, or it cannot be had.
    ///   - giveBack: gets the lane after each sound.
    package init(
        takeDetector: @escaping @Sendable () -> (any HearingLane)?,
        giveBack: @escaping @Sendable (any HearingLane) -> Void
    ) {
        (self.takeDetector, self.giveBack) = (takeDetector, giveBack)
    }

    /// Finds the speech in a sound. Blocks.
    func speech(in samples: [Float], rate: Int, unless isStopped: () -> Bool) -> SpeechParts {
        let lane = takeDetector()
        defer { if let lane, lane.isAlive { giveBack(lane) } }
        let hasFailed = Monitor(false)
        let finder = SpeechFinder(rate: rate, lane, patience: .seconds(30)) { _ in hasFailed.update { $0 = true } }
        defer { finder.cancel() }
        var events: [EnergyDetector.Event] = []
        var place = 0
        while place < samples.count, !isStopped() {
            let end = min(samples.count, place + rate)
            events += finder.add(samples[place..<end])
            place = end
        }
        events += finder.finish()
        return SpeechParts(
            events, count: samples.count, rate: rate, areSure: lane != nil && !hasFailed.read { $0 })
    }
}

/// Where somebody speaks in a sound.
struct SpeechParts: Equatable {
    /// Frames, in order, without overlap.
    let ranges: [Range<Int>]
    /// Whether nobody speaks elsewhere. Loudness alone is not sure.
    let areSure: Bool
    private let rate: Int

    init(_ events: [EnergyDetector.Event], count: Int, rate: Int, areSure: Bool) {
        var ranges: [Range<Int>] = []
        var start: Int?
        for event in events {
            switch event {
            case .begins(let frame): start = start ?? min(max(frame, ranges.last?.upperBound ?? 0), count)
            case .ends(let frame):
                if let first = start, first < min(frame, count) { ranges.append(first..<min(frame, count)) }
                start = nil
            }
        }
        if let start, start < count { ranges.append(start..<count) }
        (self.ranges, self.areSure, self.rate) = (ranges, areSure, rate)
    }

    /// What is kept around speech, in seconds: detectors notice a quiet beginning late, and a voice fades.
    private static let margin = 0.4
    private static let fade = 0.02
    /// How far from speech a word may begin or end, in seconds, and how much of a word lies in the stretch that it is said in.
    private static let slack = 0.1
    private static let leastOfWord = 0.06
    /// A text of so little speech, in seconds, must be so likely: for a single sound recognizers make something up.
    private static let briefSpeech = 0.5
    private static let confidenceOfBrief: Float = 0.4

    /// Whether so little speech, in frames, hardly gives such a text.
    static func isDoubtful(_ text: HeardText, spoken: UInt64, rate: Int) -> Bool {
        guard let confidence = text.confidence else { return false }
        return confidence < confidenceOfBrief && Double(spoken) < briefSpeech * Double(rate)
    }

    private func widened(by seconds: Double, in count: Int = .max) -> [Range<Int>] {
        let width = Int(seconds * Double(rate))
        return ranges.map { max(0, $0.lowerBound - width)..<min(count - width, $0.upperBound) + width }
            .reduce(into: []) { parts, next in
                if let last = parts.last, next.lowerBound <= last.upperBound {
                    parts[parts.count - 1] = last.lowerBound..<max(last.upperBound, next.upperBound)
                } else {
                    parts.append(next)
                }
            }
    }

    /// The sound with silence where nobody speaks.
    func kept(of samples: [Float]) -> [Float] { kept(of: samples[...], at: 0, in: samples.count) }

    /// The same for a stretch of the sound.
    ///
    /// - Parameters:
    ///   - place: the frame of its first sample.
    ///   - count: the frames of the whole sound.
    func kept(of samples: ArraySlice<Float>, at place: Int, in count: Int) -> [Float] {
        guard areSure else { return Array(samples) }
        var kept = [Float](repeating: 0, count: samples.count)
        let fade = max(1, Int(Self.fade * Double(rate)))
        for part in widened(by: Self.margin, in: count) {
            for frame in part.clamped(to: place..<place + samples.count) {
                let fromStart = part.lowerBound == 0 ? fade : frame - part.lowerBound
                let fromEnd = part.upperBound == count ? fade : part.upperBound - 1 - frame
                kept[frame - place] =
                    samples[samples.startIndex + frame - place]
                    * min(1, Float(min(fromStart, fromEnd) + 1) / Float(fade))
            }
        }
        return kept
    }

    /// Texts with times that lie in speech and never go back; none for what is told where nobody speaks.
    func bounded(_ texts: [HeardText]) -> [HeardText] {
        let parts = widened(by: Self.slack).map { UInt64($0.lowerBound)..<UInt64($0.upperBound) }
        var latest: UInt64 = 0
        return texts.compactMap { text in
            guard let bounded = bounded(text, parts, from: latest) else { return nil }
            latest = bounded.frames.upperBound
            return bounded
        }
    }

    /// The same for the text that follows those which end at `earliest`.
    func bounded(_ text: HeardText, from earliest: UInt64) -> HeardText? {
        bounded(text, widened(by: Self.slack).map { UInt64($0.lowerBound)..<UInt64($0.upperBound) }, from: earliest)
    }

    private func bounded(_ text: HeardText, _ parts: [Range<UInt64>], from earliest: UInt64) -> HeardText? {
        let own = parts.filter { $0.overlaps(text.frames) }
        guard let first = own.first, let last = own.last else { return areSure ? nil : text }
        let spoken = ranges.reduce(0) { sum, part in
            sum + (UInt64(part.lowerBound)..<UInt64(part.upperBound)).clamped(to: text.frames).count
        }
        if areSure, Self.isDoubtful(text, spoken: UInt64(spoken), rate: rate) { return nil }
        var text = text
        var latest = earliest
        for index in text.words.indices {
            let frames = Self.bounded(text.words[index].frames, own, least: UInt64(Self.leastOfWord * Double(rate)))
            let start = max(frames.lowerBound, latest)
            text.words[index].frames = start..<max(start, frames.upperBound)
            latest = start
        }
        let start = max(earliest, text.words.first?.frames.lowerBound ?? max(first.lowerBound, text.frames.lowerBound))
        let end = text.words.map(\.frames.upperBound).max() ?? min(last.upperBound, text.frames.upperBound)
        text.frames = start..<max(start, end)
        return text
    }

    /// A word's frames within the stretch of speech that it is said in: its beginning is known better than its end, which
    /// recognizers draw into a pause.
    private static func bounded(
        _ frames: Range<UInt64>, _ parts: [Range<UInt64>], least: UInt64
    ) -> Range<UInt64> {
        let overlaps = parts.map { $0.clamped(to: frames) }.enumerated().filter { !$0.element.isEmpty }
        let said = overlaps.first { $0.element.count >= least } ?? overlaps.max { $0.element.count < $1.element.count }
        return said?.element ?? frames
    }
}

/// A sound that passes a gate while it comes, for a recognizer. What may belong to speech that begins is held back for half a second
/// in silence; speech passes at once. One thread uses it.
package final class GatedSound: HeardSound {
    private let sound: IncomingFrames
    private let rate: Int
    private let gate: SpeechGate?
    private let lane: (any HearingLane)?
    private let finder: SpeechFinder?
    private let hasFailed: Monitor<Bool>
    private let silence: Int?
    private var events: [EnergyDetector.Event] = []
    private var isSpeech = false
    private var isEnded = false
    /// Frames that came, and those that are held back of them.
    private var place = 0
    private var held: [Float] = []
    /// The end of the last text.
    private var latest: UInt64 = 0

    /// Longer than the margin before speech by what a detector needs to notice it.
    private static let longestHeld = 0.5

    /// - Parameters:
    ///   - gate: nil, or one without a detector = all passes.
    ///   - silence: frames around the speech of an utterance that a detector found; all of it passes. nil = it is none.
    package init(_ sound: IncomingFrames, rate: Int, _ gate: SpeechGate?, silence: Int? = nil) {
        let lane = silence == nil ? gate?.takeDetector() : nil
        self.silence = silence
        let hasFailed = Monitor(false)
        (self.sound, self.rate, self.gate, self.lane, self.hasFailed) = (sound, rate, gate, lane, hasFailed)
        finder = lane.map { lane in SpeechFinder(rate: rate, lane) { _ in hasFailed.update { $0 = true } } }
    }

    /// The detector is free again when it returns.
    package func end() {
        finder?.cancel()
        if let lane, lane.isAlive { gate?.giveBack(lane) }
    }

    package var arrival: Descriptor? { sound.arrival }

    package func waits(after frame: UInt64) { sound.waits(after: frame) }

    package func next(most: Int) -> HeardFrames {
        guard let finder else {
            let next = sound.next(most: most)
            if case .frames(let frames) = next { place += frames.count }
            return next
        }
        while true {
            if let passed = pass(most: most) { return .frames(passed) }
            if isEnded { return .ended }
            switch sound.next(most: max(1, rate / 10)) {
            case .nothing: return .nothing
            case .ended:
                isEnded = true
                note(finder.finish())
            case .frames(let frames):
                place += frames.count
                held += frames
                note(finder.add(frames[...]))
            }
        }
    }

    /// What a recognizer made of it: with times that lie in speech; nil = it made it up.
    package func bounded(_ text: HeardText) -> HeardText? {
        guard !text.text.isEmpty else { return text }
        guard finder != nil else {
            let spoken = place - (silence ?? 0)
            let isDoubtful = silence != nil && SpeechParts.isDoubtful(text, spoken: UInt64(max(0, spoken)), rate: rate)
            return text.isFinal && (isDoubtful || !text.hasWords) ? nil : text
        }
        let parts = parts
        guard text.isFinal else {
            let told = min(Int(clamping: text.frames.lowerBound), place)..<place
            let isSpoken = parts.ranges.contains { $0.overlaps(told) }
            return isSpoken || !parts.areSure ? text : nil
        }
        guard text.hasWords, let bounded = parts.bounded(text, from: latest) else { return nil }
        latest = bounded.frames.upperBound
        return bounded
    }

    private var parts: SpeechParts {
        SpeechParts(events, count: place, rate: rate, areSure: !hasFailed.read { $0 })
    }

    private func note(_ found: [EnergyDetector.Event]) {
        for event in found { if case .begins = event { isSpeech = true } else { isSpeech = false } }
        events += found
    }

    private func pass(most: Int) -> [Float]? {
        let isOpen = isSpeech || isEnded || hasFailed.read { $0 }
        let count = min(most, isOpen ? held.count : held.count - Int(Self.longestHeld * Double(rate)))
        guard count > 0 else { return nil }
        defer { held.removeFirst(count) }
        return parts.kept(of: held[..<count], at: place - held.count, in: isEnded ? place : place + 1)
    }
}
