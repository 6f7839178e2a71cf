package import SynthEngineWire
package import SynthEngineProcesses
package import SynthSystem

/// Silences audio without speech before it reaches a recognizer, because recognizers hallucinate text in music and
/// noise. Ranges in which a detector finds no speech are replaced with silence, and audio without any speech is not
/// transcribed. Frame positions do not change.
///
/// If there is no detector, speech is detected by loudness, but the result is used only to clamp word times.
package struct SpeechGate: Sendable {
    package let takeDetector: @Sendable () -> (any RecognitionLane)?
    package let release: @Sendable (any RecognitionLane) -> Void

    /// `takeDetector` and `release` can be called concurrently from several threads.
    ///
    /// - Parameters:
    ///   - takeDetector: returns a detector's lane, or nil if none is installed or available.
    ///   - release: receives the lane after each recording.
    package init(
        takeDetector: @escaping @Sendable () -> (any RecognitionLane)?,
        release: @escaping @Sendable (any RecognitionLane) -> Void
    ) {
        (self.takeDetector, self.release) = (takeDetector, release)
    }

    /// Finds the speech in a recording. Blocks.
    func speech(in samples: [Float], rate: Int, unless isStopped: () -> Bool) -> SpeechParts {
        let lane = takeDetector()
        defer { if let lane, lane.isAlive { release(lane) } }
        let hasFailed = Monitor(false)
        let finder = SpeechFinder(rate: rate, lane, detectorTimeout: .seconds(30)) { _ in hasFailed.update { $0 = true }
        }
        defer { finder.cancel() }
        var events: [EnergyDetector.Event] = []
        var position = 0
        while position < samples.count, !isStopped() {
            let end = min(samples.count, position + rate)
            events += finder.add(samples[position..<end])
            position = end
        }
        events += finder.finish()
        return SpeechParts(
            events, count: samples.count, rate: rate, areSure: lane != nil && !hasFailed.read { $0 })
    }
}

/// The parts of a recording that contain speech.
struct SpeechParts: Equatable {
    /// Frame ranges in ascending order, without overlap.
    let ranges: [Range<Int>]
    /// Whether the parts outside `ranges` are certain to contain no speech. False for loudness detection, which is not
    /// reliable enough.
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

    /// The amount of audio to keep before and after speech, in seconds. Detectors react late to a quiet start, and
    /// voices fade out.
    private static let margin = 0.4
    private static let fade = 0.02
    /// The time in seconds by which a word may extend beyond the detected speech. Also the minimum overlap between a
    /// word and the speech range that contains it.
    private static let slack = 0.1
    private static let minimumWordSeconds = 0.06
    /// The duration of speech, in seconds, below which its text is accepted only above a minimum confidence, because
    /// recognizers hallucinate text from short noises.
    private static let briefSpeech = 0.5
    private static let confidenceOfBrief: Float = 0.4

    /// Whether it is implausible that `spoken` frames of speech contain the text.
    static func isDoubtful(_ text: RecognizedText, spoken: UInt64, rate: Int) -> Bool {
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

    /// Returns the audio, silenced where it contains no speech.
    func kept(of samples: [Float]) -> [Float] { kept(of: samples[...], at: 0, in: samples.count) }

    /// Returns a range of the audio, silenced where it contains no speech.
    ///
    /// - Parameters:
    ///   - position: the frame of the first sample.
    ///   - count: the number of frames in the recording.
    func kept(of samples: ArraySlice<Float>, at position: Int, in count: Int) -> [Float] {
        guard areSure else { return Array(samples) }
        var kept = [Float](repeating: 0, count: samples.count)
        let fade = max(1, Int(Self.fade * Double(rate)))
        for part in widened(by: Self.margin, in: count) {
            for frame in part.clamped(to: position..<position + samples.count) {
                let fromStart = part.lowerBound == 0 ? fade : frame - part.lowerBound
                let fromEnd = part.upperBound == count ? fade : part.upperBound - 1 - frame
                kept[frame - position] =
                    samples[samples.startIndex + frame - position]
                    * min(1, Float(min(fromStart, fromEnd) + 1) / Float(fade))
            }
        }
        return kept
    }

    /// Clamps the times of recognized texts to the detected speech, and makes the times monotonic. Texts in ranges without
    /// speech are marked as rejected.
    ///
    /// - Parameter kept: the indices of final texts that must not be rejected.
    func bounded(_ texts: [RecognizedText], keeping kept: Set<Int> = []) -> [RecognizedText] {
        let parts = widened(by: Self.slack).map { UInt64($0.lowerBound)..<UInt64($0.upperBound) }
        var latest: UInt64 = 0
        var finals = 0
        return texts.map { text in
            guard text.leftOut == nil else { return text }
            defer { finals += 1 }
            if kept.contains(finals) { return text }
            guard let bounded = bounded(text, parts, from: latest) else {
                var text = text
                (text.isFinal, text.stable) = (false, 0)
                text.leftOut = parts.contains { $0.overlaps(text.frames) } ? .hardlyLikely : .nobodySpeaks
                return text
            }
            latest = bounded.frames.upperBound
            return bounded
        }
    }

    /// Clamps the times of a single recognized text to the detected speech. The preceding text ends at `earliest`.
    func bounded(_ text: RecognizedText, from earliest: UInt64) -> RecognizedText? {
        bounded(text, widened(by: Self.slack).map { UInt64($0.lowerBound)..<UInt64($0.upperBound) }, from: earliest)
    }

    private func bounded(_ text: RecognizedText, _ parts: [Range<UInt64>], from earliest: UInt64) -> RecognizedText? {
        let own = parts.filter { $0.overlaps(text.frames) }
        guard let first = own.first, let last = own.last else { return areSure ? nil : text }
        let spoken = ranges.reduce(0) { sum, part in
            sum + (UInt64(part.lowerBound)..<UInt64(part.upperBound)).clamped(to: text.frames).count
        }
        if areSure, Self.isDoubtful(text, spoken: UInt64(spoken), rate: rate) { return nil }
        var text = text
        var latest = earliest
        for index in text.words.indices {
            let frames = Self.bounded(
                text.words[index].frames, own, least: UInt64(Self.minimumWordSeconds * Double(rate)))
            let start = max(frames.lowerBound, latest)
            text.words[index].frames = start..<max(start, frames.upperBound)
            latest = start
        }
        let start = max(earliest, text.words.first?.frames.lowerBound ?? max(first.lowerBound, text.frames.lowerBound))
        let end = text.words.map(\.frames.upperBound).max() ?? min(last.upperBound, text.frames.upperBound)
        text.frames = start..<max(start, end)
        return text
    }

    /// Clamps a word's frames to one of the speech ranges: the first one that overlaps the word by at least `least`
    /// frames or, failing that, the one with the largest overlap. Recognizers locate the start of a word better than
    /// its end, which often extends into a pause.
    private static func bounded(
        _ frames: Range<UInt64>, _ parts: [Range<UInt64>], least: UInt64
    ) -> Range<UInt64> {
        let overlaps = parts.map { $0.clamped(to: frames) }.enumerated().filter { !$0.element.isEmpty }
        let said = overlaps.first { $0.element.count >= least } ?? overlaps.max { $0.element.count < $1.element.count }
        return said?.element ?? frames
    }
}

/// Live audio that passes through a gate to a recognizer. During silence, the last half second is buffered in case it
/// contains the start of speech. Speech passes through without delay. Not thread-safe.
package final class GatedSound: RecognizerAudio {
    private let sound: IncomingFrames
    private let rate: Int
    private let gate: SpeechGate?
    private let lane: (any RecognitionLane)?
    private let finder: SpeechFinder?
    private let hasFailed: Monitor<Bool>
    private let silence: Int?
    private var events: [EnergyDetector.Event] = []
    private var isSpeech = false
    private var isEnded = false
    /// The number of received frames.
    private var position = 0
    /// The buffered samples.
    private var held: [Float] = []
    /// The end of the last text.
    private var latest: UInt64 = 0
    /// The number of stable bytes in partial texts that are not final yet.
    private var promised = 0

    /// The maximum duration of buffered audio in seconds: the margin before speech plus the delay of a detector.
    private static let longestHeld = 0.5

    /// - Parameters:
    ///   - gate: the gate. If it is nil or has no detector, all audio passes through.
    ///   - silence: the number of frames without speech if the audio is an utterance that has already been detected, or
    ///     nil for any other audio. All audio of such an utterance passes through.
    package init(_ sound: IncomingFrames, rate: Int, _ gate: SpeechGate?, silence: Int? = nil) {
        let lane = silence == nil ? gate?.takeDetector() : nil
        self.silence = silence
        let hasFailed = Monitor(false)
        (self.sound, self.rate, self.gate, self.lane, self.hasFailed) = (sound, rate, gate, lane, hasFailed)
        finder = lane.map { lane in SpeechFinder(rate: rate, lane) { _ in hasFailed.update { $0 = true } } }
    }

    /// Releases the detector.
    package func end() {
        finder?.cancel()
        if let lane, lane.isAlive { gate?.release(lane) }
    }

    package var arrival: Descriptor? { sound.arrival }

    package func waits(after frame: UInt64) { sound.waits(after: frame) }

    package func next(most: Int) -> RecognizerInput {
        guard let finder else {
            let next = sound.next(most: most)
            if case .frames(let frames) = next { position += frames.count }
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
                position += frames.count
                held += frames
                note(finder.add(frames[...]))
            }
        }
    }

    /// Clamps the times of a recognized text to the detected speech. Returns nil if the text is probably a
    /// hallucination and no part of it has been reported as stable.
    package func bounded(_ text: RecognizedText) -> RecognizedText? {
        guard !text.text.isEmpty else { return text }
        let bounded = text.isFinal ? boundedFinal(text) : isHeard(text) ? text : nil
        guard text.isFinal else {
            if let bounded { promised = max(promised, bounded.stable) }
            return bounded
        }
        defer { promised = max(0, promised - text.text.utf8.count - 1) }
        return bounded ?? (promised > 0 ? text : nil)
    }

    /// Whether the audio that produced a partial text contains speech.
    private func isHeard(_ text: RecognizedText) -> Bool {
        guard finder != nil else { return true }
        let told = min(Int(clamping: text.frames.lowerBound), position)..<position
        let parts = parts
        return parts.ranges.contains { $0.overlaps(told) } || !parts.areSure
    }

    private func boundedFinal(_ text: RecognizedText) -> RecognizedText? {
        guard text.hasWords else { return nil }
        guard finder != nil else {
            guard let silence else { return text }
            return SpeechParts.isDoubtful(text, spoken: UInt64(max(0, position - silence)), rate: rate) ? nil : text
        }
        guard let bounded = parts.bounded(text, from: latest) else { return nil }
        latest = bounded.frames.upperBound
        return bounded
    }

    private var parts: SpeechParts {
        SpeechParts(events, count: position, rate: rate, areSure: !hasFailed.read { $0 })
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
        return parts.kept(of: held[..<count], at: position - held.count, in: isEnded ? position : position + 1)
    }
}
