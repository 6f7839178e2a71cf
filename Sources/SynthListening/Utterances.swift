import SynthAudio
package import SynthEngineProcesses
package import SynthSystem

/// An utterance between pauses, with its audio.
package struct DetectedUtterance: Sendable {
    /// The first frame, relative to the start of the audio.
    package let start: Int
    /// The audio, which grows as the speech continues. It includes the pause after the last word.
    package let sound: IncomingFrames
}

/// Divides an endless stream of audio into utterances, based on a voice activity detector or on loudness. Memory use is
/// constant. Not thread-safe.
package final class UtteranceFinder {
    /// The start or the end of an utterance.
    package enum Event: Sendable {
        /// An utterance has started and can be transcribed.
        case begins(DetectedUtterance)
        /// The audio of the current utterance is complete. Its speech ended at this frame, relative to the start of the
        /// audio.
        case ends(Int)
    }

    /// Durations in seconds: how much audio before the detected start of speech an utterance includes by default, and
    /// how much recent audio is kept in memory. A detector may react half a second late, and initial consonants are
    /// quiet.
    package static let lead = 0.3
    private static let kept = 1.5
    /// The maximum value of `lead` for a finder, in seconds.
    package static let longestLead = 1.0

    private let rate: Int
    private let pause: Int
    private let lead: Int
    private let most: Int
    private let finder: SpeechFinder
    private let onTake: @Sendable (Int) -> Void
    /// The number of processed frames.
    private var position = 0
    private var recent: [Float] = []
    /// The earliest possible start of the next utterance.
    private var free = 0
    private var current: DetectedUtterance?
    private var lastSpeech: Int?

    /// - Parameters:
    ///   - rate: the number of frames per second.
    ///   - pause: the length in seconds of the silence that ends an utterance.
    ///   - most: the maximum number of frames that may wait for a recognizer. At this limit, `add` blocks.
    ///   - detector: the lane of a detector for the sample rate `rate`, or nil to use loudness.
    ///   - detectorTimeout: how long `add` waits for the detector.
    ///   - onFailure: called at most once, when loudness detection replaces the detector. The failure is nil if the detector
    ///     did not respond.
    ///   - onTake: called with the number of frames that were removed from an utterance's queue.
    package init(
        rate: Int, pause: Double = 0.8, lead: Double = lead, most: Int = .max, _ detector: (any RecognitionLane)?,
        detectorTimeout: Duration = .seconds(5), onFailure: @escaping (EngineFailure?) -> Void = { _ in },
        onTake: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.rate = rate
        self.lead = Int(min(max(0, lead), Self.longestLead) * Double(rate))
        self.pause = Int(min(max(0, pause), 3600) * Double(rate))
        self.most = most
        self.onTake = onTake
        finder = SpeechFinder(rate: rate, detector, detectorTimeout: detectorTimeout, onFailure: onFailure)
    }

    /// Adds audio and returns the newly detected events. The result does not depend on how the audio is divided into
    /// pieces.
    ///
    /// - Throws: an error if no file descriptor is available for an utterance.
    package func add(_ samples: ArraySlice<Float>) throws(Errno) -> [Event] {
        var events: [Event] = []
        var rest = samples
        while !rest.isEmpty {
            // Limit the piece to 10 ms, the precision with which the end of a pause is detected.
            let piece = rest.prefix(max(1, rate / 100 - position % max(1, rate / 100)))
            rest = rest.dropFirst(piece.count)
            position += piece.count
            recent += piece
            if recent.count > 2 * Int(Self.kept * Double(rate)) {
                recent.removeFirst(recent.count - Int(Self.kept * Double(rate)))
            }
            current?.sound.add(piece)
            events += try note(finder.add(piece))
            if let lastSpeech, position - lastSpeech >= pause { events += end() }
        }
        return events
    }

    /// Marks the end of the audio, ends the current utterance and returns the remaining events.
    package func finish() throws(Errno) -> [Event] { try note(finder.finish()) + end() }

    /// Stops detection. Blocks until the detector's lane is free.
    package func cancel() {
        finder.cancel()
        _ = end()
    }

    private func note(_ found: [EnergyDetector.Event]) throws(Errno) -> [Event] {
        var events: [Event] = []
        for event in found {
            switch event {
            case .begins(let frame):
                lastSpeech = nil
                guard current == nil else { continue }
                let start = min(position, max(free, position - recent.count, frame - lead))
                let utterance = DetectedUtterance(start: start, sound: try IncomingFrames(most: most, onTake: onTake))
                utterance.sound.add(recent.suffix(position - start))
                current = utterance
                events.append(.begins(utterance))
            case .ends(let frame): lastSpeech = frame
            }
        }
        return events
    }

    private func end() -> [Event] {
        guard let ending = current else { return [] }
        ending.sound.end()
        defer { (current, lastSpeech, free) = (nil, nil, position) }
        return [.ends(lastSpeech ?? position)]
    }
}

extension Listener {
    /// Reads all of the audio and queues each utterance.
    func listen(
        _ read: Read, _ finder: UtteranceFinder, _ queue: Monitor<UtteranceQueue>, _ isStopped: () -> Bool,
        _ event: (Event) -> Void
    ) -> Result<ListeningEnd.Reason, SpeechError> {
        var end = ListeningEnd(rate: rate, timeout: limits.timeout, inactivity: limits.inactivity)
        var position = 0
        var meter = LevelMeter(rate: rate)
        func note(_ found: [UtteranceFinder.Event]) {
            for found in found {
                switch found {
                case .begins(let utterance):
                    end.speechBegins()
                    queue.update { $0.add(utterance) }
                    event(.speechBegins)
                case .ends(let frame): end.speechEnds(at: frame)
                }
            }
        }
        event(.listening)
        do {
            while !isStopped(), !queue.read({ $0.isAbandoned }) {
                let next: [Float]?
                do { next = try read() } catch { return .failure(SpeechError(microphone: error)) }
                guard let next else { break }
                var rest = next[...]
                while !rest.isEmpty {
                    let piece = rest.prefix(max(1, min(end.left(at: position), rate / 100)))
                    rest = rest.dropFirst(piece.count)
                    position += piece.count
                    if let level = meter.add(piece) { event(.level(level)) }
                    note(try finder.add(piece))
                    if let reason = end.reason(at: position) {
                        note(try finder.finish())
                        return .success(reason)
                    }
                }
            }
            note(try finder.finish())
        } catch {
            return .failure(.noThread)
        }
        return .success(.transcribed)
    }
}

/// The queue between the listening thread and the transcribing thread.
struct UtteranceQueue {
    private(set) var waiting: [DetectedUtterance] = []
    /// The outcome of listening, or nil while it continues.
    var outcome: Result<ListeningEnd.Reason, SpeechError>?
    /// Whether the consumer has stopped.
    var isAbandoned = false

    mutating func add(_ utterance: DetectedUtterance) {
        if isAbandoned { utterance.sound.abandon() } else { waiting.append(utterance) }
    }

    /// - Returns: nil if no utterance is queued yet, or a nested nil if no more utterances will follow.
    mutating func next() -> DetectedUtterance?? {
        if !waiting.isEmpty { return .some(waiting.removeFirst()) }
        return outcome == nil ? .none : .some(nil)
    }
}
