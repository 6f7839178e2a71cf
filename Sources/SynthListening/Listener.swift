package import SynthAudio
package import SynthEngineProcesses
package import SynthEngineWire
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
        /// A recognizer failed, and one utterance was not understood. The next one gets another lane.
        case recognizerFails(SpeechError)
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

    /// Gives more of the sound, and blocks until there is some; nil = the sound has ended.
    package typealias Read = @Sendable () throws(AudioError) -> [Float]?

    /// Gives a lane, and blocks until there is one.
    package typealias TakeLane = () throws(EngineFailure) -> any HearingLane

    let rate: Int
    let limits: Limits
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

    /// Listens until nobody wants to hear more, the sound ends, or a limit is reached; each utterance is understood as soon as it ends,
    /// while the next one is already heard. Blocks until everything was understood. Events come on two threads, perhaps at once.
    ///
    /// A recognizer that fails loses one utterance, which is reported; the next one gets a lane again. It throws if a recognizer fails
    /// twice in a row.
    ///
    /// - Parameters:
    ///   - lane: gives the lane for an utterance, and blocks until there is one.
    ///   - detector: what says where speech begins and ends, at the same rate; nil = loudness.
    ///   - read: blocks until there is more of the sound; nil = it has ended.
    ///   - stop: has `read` give nil.
    ///   - close: nothing more is read. The thread that reads calls it before `understanding` is told.
    ///   - isStopped: whether nobody wants to hear more. What was said before is still understood.
    ///   - isCancelled: whether nobody wants anything more. Then it returns at once.
    package func runUtterances(
        _ request: HearingRequest, by lane: TakeLane,
        detectedBy detector: (any HearingLane)? = nil, _ read: @escaping Read, stop: @escaping @Sendable () -> Void,
        close: @escaping @Sendable () -> Void = {}, unless isStopped: @escaping @Sendable () -> Bool = { false },
        isCancelled: @escaping @Sendable () -> Bool = { false }, _ event: @escaping @Sendable (Event) -> Void
    ) throws(SpeechError) -> ListeningEnd.Reason {
        let queue = Monitor(UtteranceQueue())
        let isStarted = startThread("microphone") {
            let finder = UtteranceFinder(
                rate: rate, most: Self.mostWaiting * rate, detector, patience: limits.patience
            ) { event(.detectorFails($0)) }
            let result = self.hear(read, finder, queue, { isStopped() || isCancelled() }, event)
            finder.cancel()
            close()
            if case .success(let reason) = result { event(.understanding(reason)) }
            queue.update { $0.outcome = result }
        }
        guard isStarted else { throw .noThread }
        defer {
            // The thread that hears has ended before this returns.
            queue.update { queue in
                queue.isAbandoned = true
                for utterance in queue.waiting { utterance.sound.abandon() }
            }
            stop()
            _ = queue.wait { $0.outcome == nil ? nil : true }
        }
        var request = request
        request.isLive = true
        request.wants.formUnion([.partials, .words])
        var lastFailure: EngineFailure?
        while let utterance = queue.wait(until: { $0.next() }) ?? nil {
            do throws(EngineFailure) {
                let start = UInt64(utterance.start)
                _ = try lane().listen(request, to: utterance.sound, unless: isCancelled) { part in
                    if case .text(let text) = part, text.hasWords {
                        let moved = text.moved(by: start)
                        event(text.isFinal ? .text(moved) : .partial(moved))
                    }
                    return !isCancelled()
                }
                lastFailure = nil
            } catch {
                utterance.sound.abandon()
                if isCancelled() { break }
                if lastFailure != nil { throw SpeechError(recognizer: error) }
                lastFailure = error
                event(.recognizerFails(SpeechError(recognizer: error)))
            }
            if isCancelled() { break }
        }
        guard let outcome = queue.read({ $0.outcome }) else { return .understood }
        return try outcome.get()
    }

    /// A recognizer that is further behind, in seconds, is waited for.
    private static let mostWaiting = 600

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
