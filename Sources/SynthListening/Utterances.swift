import SynthAudio
package import SynthEngineProcesses
package import SynthSystem

/// What is said between two pauses, as a sound of its own.
package struct HeardUtterance: Sendable {
    /// Its first frame, counted from the beginning of the whole sound.
    package let start: Int
    /// Frames are added while somebody speaks. It ends with the pause after the last word.
    package let sound: IncomingFrames
}

/// Cuts a sound that may never end into utterances, by a detector of speech, or by loudness without one. The memory that it takes
/// does not grow with the sound. One thread uses it.
package final class UtteranceFinder {
    package enum Event: Sendable {
        /// An utterance begins. It can be listened to from now on.
        case begins(HeardUtterance)
        /// The sound of the last utterance is complete. Speech ended at this frame, counted from the beginning of the whole sound.
        case ends(Int)
    }

    /// A detector may notice speech half a second late, and a first consonant is quiet.
    package static let lead = 0.3
    private static let kept = 1.0

    private let rate: Int
    private let pause: Int
    private let most: Int
    private let finder: SpeechFinder
    private let onTake: @Sendable (Int) -> Void
    /// Frames so far.
    private var place = 0
    /// The last second of the sound.
    private var recent: [Float] = []
    /// The next utterance begins here at the earliest.
    private var free = 0
    private var current: HeardUtterance?
    private var lastSpeech: Int?

    /// - Parameters:
    ///   - rate: frames a second.
    ///   - pause: the silence that ends an utterance, in seconds.
    ///   - most: the number of frames that may wait for a recognizer; then `add` blocks.
    ///   - detector: a lane of a detector of the same rate; nil = loudness.
    ///   - patience: how long `add` waits for the detector.
    ///   - onFailure: gets why loudness replaces the detector, at most once; nil = it gave no answer.
    ///   - onTake: gets how many frames of an utterance are not kept any more.
    package init(
        rate: Int, pause: Double = 0.8, most: Int = .max, _ detector: (any HearingLane)?,
        patience: Duration = .seconds(5), onFailure: @escaping (EngineFailure?) -> Void = { _ in },
        onTake: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.rate = rate
        self.pause = Int(min(max(0, pause), 3600) * Double(rate))
        self.most = most
        self.onTake = onTake
        finder = SpeechFinder(rate: rate, detector, patience: patience, onFailure: onFailure)
    }

    /// Takes more of the sound. Its result does not depend on how the sound is divided.
    ///
    /// - Throws: if the system has no descriptor left for an utterance.
    package func add(_ samples: ArraySlice<Float>) throws(Errno) -> [Event] {
        var events: [Event] = []
        var rest = samples
        while !rest.isEmpty {
            // The end of a pause is found to 10 ms.
            let piece = rest.prefix(max(1, rate / 100 - place % max(1, rate / 100)))
            rest = rest.dropFirst(piece.count)
            place += piece.count
            recent += piece
            if recent.count > 2 * Int(Self.kept * Double(rate)) {
                recent.removeFirst(recent.count - Int(Self.kept * Double(rate)))
            }
            current?.sound.add(piece)
            events += try note(finder.add(piece))
            if let lastSpeech, place - lastSpeech >= pause { events += end() }
        }
        return events
    }

    /// The sound has ended: so does the utterance.
    package func finish() throws(Errno) -> [Event] { try note(finder.finish()) + end() }

    /// Nothing more is found. Returns when the detector's lane is free.
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
                let start = min(place, max(free, place - recent.count, frame - Int(Self.lead * Double(rate))))
                let utterance = HeardUtterance(start: start, sound: try IncomingFrames(most: most, onTake: onTake))
                utterance.sound.add(recent.suffix(place - start))
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
        defer { (current, lastSpeech, free) = (nil, nil, place) }
        return [.ends(lastSpeech ?? place)]
    }
}

extension Listener {
    /// Reads the sound to its end, and has each utterance wait in the queue.
    func hear(
        _ read: Read, _ finder: UtteranceFinder, _ queue: Monitor<UtteranceQueue>, _ isStopped: () -> Bool,
        _ event: (Event) -> Void
    ) -> Result<ListeningEnd.Reason, SpeechError> {
        var end = ListeningEnd(rate: rate, timeout: limits.timeout, inactivity: limits.inactivity)
        var place = 0
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
                    let piece = rest.prefix(max(1, min(end.left(at: place), rate / 100)))
                    rest = rest.dropFirst(piece.count)
                    place += piece.count
                    if let level = meter.add(piece) { event(.level(level)) }
                    note(try finder.add(piece))
                    if let reason = end.reason(at: place) {
                        note(try finder.finish())
                        return .success(reason)
                    }
                }
            }
            note(try finder.finish())
        } catch {
            return .failure(.noThread)
        }
        return .success(.understood)
    }
}

/// Utterances between the thread that hears and the one that understands.
struct UtteranceQueue {
    private(set) var waiting: [HeardUtterance] = []
    /// How hearing ended; nil = it continues.
    var outcome: Result<ListeningEnd.Reason, SpeechError>?
    /// Nobody takes one any more.
    var isAbandoned = false

    mutating func add(_ utterance: HeardUtterance) {
        if isAbandoned { utterance.sound.abandon() } else { waiting.append(utterance) }
    }

    /// - Returns: nil = none yet; a value that is nil = there is none any more.
    mutating func next() -> HeardUtterance?? {
        if !waiting.isEmpty { return .some(waiting.removeFirst()) }
        return outcome == nil ? .none : .some(nil)
    }
}
