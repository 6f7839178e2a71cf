package import SynthAudio
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthRecognizers
package import SynthSystem

/// Listens to what comes, until nobody speaks any more or the time is over.
///
/// Where listening ends is decided by the sound and not by a clock: the same sound ends at the same frame on any machine.
package struct Listener: Sendable {
    /// What is told while it listens.
    package enum Event: Sendable {
        /// The microphone is open: from now on it is heard what is said.
        case listening
        /// How loud the last tenth of a second was, in decibels below full scale.
        case level(Decibels)
        case speechBegins
        case partial(HeardText)
        /// A text that stays.
        case text(HeardText)
        /// The detector does not say any more where speech begins and ends: loudness does; nil = it gave no answer.
        case detectorFails(EngineFailure?)
        /// Nothing more is heard; what was heard is still being understood.
        case understanding(ListeningEnd.Reason)

        /// What was understood.
        package var words: String? {
            switch self {
            case .partial(let text), .text(let text): text.text
            default: nil
            }
        }
    }

    package struct Limits: Sendable {
        /// The longest sound, and the longest silence after speech, in seconds.
        package var timeout: Double
        package var inactivity: Double
        /// How long a detector is waited for until loudness takes its place.
        package var patience = Duration.seconds(5)

        package init(timeout: Double = 30, inactivity: Double = 2) {
            self.timeout = timeout
            self.inactivity = inactivity
        }
    }

    /// What was heard.
    package struct Recording: Sendable {
        /// From the begin of the first speech to the end of the last, with a pad on both sides; empty if nobody spoke.
        package let samples: [Float]
        package let reason: ListeningEnd.Reason
    }

    /// A source of sound; its `read` blocks until there is some, and gives nil at the end.
    package typealias Read = @Sendable () throws(AudioError) -> [Float]?

    private let rate: Int
    private let limits: Limits
    private let keepsSound: Bool
    /// Around speech in a recording, in seconds.
    private static let pad = 0.3

    /// - Parameters:
    ///   - rate: of the sound and of the recognizer, in hertz.
    ///   - keepsSound: whether what is heard is kept for a recording.
    package init(rate: UInt32, _ limits: Limits, keepsSound: Bool = false) {
        self.rate = Int(rate)
        self.limits = limits
        self.keepsSound = keepsSound
    }

    /// Blocks until what was heard is understood. Events come on two threads, perhaps at once.
    ///
    /// - Parameters:
    ///   - detector: what says where speech begins and ends, at the same rate; nil = how loud it is.
    ///   - stop: has `read` give nil.
    ///   - close: nothing more is read: called by the thread that reads, before `understanding` is told.
    ///   - isStopped: whether nobody wants to hear more: then it ends at once.
    package func run(
        _ request: HearingRequest, by lane: any HearingLane, detectedBy detector: (any HearingLane)? = nil,
        _ read: @escaping Read, stop: @escaping @Sendable () -> Void,
        close: @escaping @Sendable () -> Void = {}, unless isStopped: @escaping @Sendable () -> Bool = { false },
        _ event: @escaping @Sendable (Event) -> Void
    ) throws(SpeechError) -> Recording {
        let heard: IncomingFrames
        do { heard = try IncomingFrames() } catch { throw .noThread }
        let outcome = Monitor<Result<Recording, SpeechError>?>(nil)
        let isStarted = startThread("microphone") {
            let finder = SpeechFinder(rate: rate, detector, patience: limits.patience) { event(.detectorFails($0)) }
            let result = self.hear(read, heard, finder, isStopped, event)
            close()
            if case .success(let recording) = result { event(.understanding(recording.reason)) }
            heard.end()
            outcome.update { $0 = result }
        }
        guard isStarted else { throw .noThread }
        defer {
            // The thread that hears has ended before this returns.
            heard.abandon()
            stop()
            _ = outcome.wait { $0 == nil ? nil : true }
        }
        var request = request
        request.isLive = true
        request.wants.formUnion([.partials, .words])
        do {
            _ = try lane.listen(request, to: heard, unless: isStopped) { part in
                if case .text(let text) = part { event(text.isFinal ? .text(text) : .partial(text)) }
                return !isStopped()
            }
        } catch {
            throw SpeechError(recognizer: error)
        }
        // It may have needed no more of the sound, which then waits for room.
        heard.abandon()
        stop()
        guard let result = outcome.wait(until: { $0 }) else { throw .noThread }
        return try result.get()
    }

    private func hear(
        _ read: Read, _ heard: IncomingFrames, _ finder: SpeechFinder, _ isStopped: () -> Bool, _ event: (Event) -> Void
    ) -> Result<Recording, SpeechError> {
        defer { finder.cancel() }
        var end = ListeningEnd(rate: rate, timeout: limits.timeout, inactivity: limits.inactivity)
        var place = 0
        /// From `dropped` on.
        var sound: [Float] = []
        var dropped = 0
        var speech: Range<Int>?
        var meter = LevelMeter(rate: rate)
        func note(_ found: EnergyDetector.Event) {
            switch found {
            case .begins(let frame):
                end.speechBegins()
                speech = min(speech?.lowerBound ?? frame, frame)..<max(frame, speech?.upperBound ?? frame)
                event(.speechBegins)
            case .ends(let frame):
                end.speechEnds(at: frame)
                if let begin = speech?.lowerBound { speech = begin..<max(begin, frame) }
            }
        }
        var reason = ListeningEnd.Reason.understood
        event(.listening)
        listening: while !isStopped() {
            let next: [Float]?
            do { next = try read() } catch { return .failure(SpeechError(microphone: error)) }
            guard let next else { break }
            var rest = next[...]
            // Not a frame more than is asked for is heard, however large the pieces are.
            while !rest.isEmpty {
                let piece = rest.prefix(max(1, min(end.left(at: place), rate / 100)))
                rest = rest.dropFirst(piece.count)
                place += piece.count
                if keepsSound {
                    sound += piece
                    // Of the silence before speech only what may belong to it is kept.
                    if speech == nil, sound.count > 2 * rate {
                        dropped += sound.count - rate
                        sound.removeFirst(sound.count - rate)
                    }
                }
                if let level = meter.add(piece) { event(.level(level)) }
                for found in finder.add(piece) { note(found) }
                heard.add(piece)
                if let over = end.reason(at: place) {
                    reason = over
                    break listening
                }
            }
        }
        for last in finder.finish() { note(last) }
        guard keepsSound, let speech else { return .success(Recording(samples: [], reason: reason)) }
        let pad = Int(Self.pad * Double(rate))
        let first = max(0, speech.lowerBound - pad - dropped)
        let range = first..<max(first, min(sound.count, speech.upperBound + pad - dropped))
        return .success(Recording(samples: Array(sound[range]), reason: reason))
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
