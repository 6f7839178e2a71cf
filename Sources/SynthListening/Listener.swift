package import SynthAudio
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthSystem

/// Listens to audio until the speech ends or a time limit is reached.
///
/// Time limits are measured in audio time rather than clock time, so the same audio produces the same result on every
/// machine.
package struct Listener: Sendable {
    /// An event that occurs while listening.
    package enum Event: Sendable {
        /// The microphone is open and speech is being recognized.
        case listening
        /// The audio level in dBFS over the last tenth of a second.
        case level(Decibels)
        case speechBegins
        case partial(RecognizedText)
        /// Final text.
        case text(RecognizedText)
        /// Loudness detection has replaced the detector. The failure is nil if the detector did not respond.
        case detectorFails(EngineFailure?)
        /// A recognizer failed and an utterance was lost. The next utterance uses a different lane.
        case recognizerFails(SpeechError)
        /// Listening has ended, but the remaining audio is still being transcribed.
        case understanding(ListeningEnd.Reason)

        /// The recognized text, or nil for other events.
        package var words: String? {
            switch self {
            case .partial(let text), .text(let text): text.text
            default: nil
            }
        }
    }

    /// The limits for listening.
    package struct Limits: Sendable {
        /// The maximum duration of the audio, in seconds.
        package var timeout: Double
        /// The maximum silence after speech, in seconds.
        package var inactivity: Double
        /// How long to wait for a detector before falling back to loudness detection.
        package var detectorTimeout = Duration.seconds(5)

        package init(timeout: Double = 30, inactivity: Double = 2) {
            self.timeout = timeout
            self.inactivity = inactivity
        }
    }

    /// The recorded audio.
    package struct Recording: Sendable {
        /// The audio from the start of the first speech to the end of the last, with padding on both sides. Empty if no
        /// speech was detected.
        package let samples: [Float]
        package let reason: ListeningEnd.Reason
    }

    /// Returns more audio, or nil at the end of the audio. Blocks until audio is available.
    package typealias Read = @Sendable () throws(AudioError) -> [Float]?

    /// Returns a lane. Blocks until one is available.
    package typealias TakeLane = () throws(EngineFailure) -> any RecognitionLane

    let rate: Int
    let limits: Limits
    private let keepsSound: Bool
    /// The padding before and after speech in a recording, in seconds.
    private static let pad = 0.3

    /// - Parameters:
    ///   - rate: the sample rate of the audio and the recognizer in hertz.
    ///   - keepsSound: whether to store the audio for a recording.
    package init(rate: UInt32, _ limits: Limits, keepsSound: Bool = false) {
        self.rate = Int(rate)
        self.limits = limits
        self.keepsSound = keepsSound
    }

    /// Listens once. Blocks until the audio has been transcribed. Events are delivered on two threads, possibly concurrently.
    ///
    /// - Parameters:
    ///   - detector: a voice activity detector for the sample rate of the audio, or nil to use loudness.
    ///   - stop: makes `read` return nil.
    ///   - close: called on the reading thread after the last read, before the `understanding` event.
    ///   - isStopped: returns true to end listening immediately.
    package func run(
        _ request: RecognitionJob, by lane: any RecognitionLane, detectedBy detector: (any RecognitionLane)? = nil,
        _ read: @escaping Read, stop: @escaping @Sendable () -> Void,
        close: @escaping @Sendable () -> Void = {}, unless isStopped: @escaping @Sendable () -> Bool = { false },
        _ event: @escaping @Sendable (Event) -> Void
    ) throws(SpeechError) -> Recording {
        let incoming: IncomingFrames
        do { incoming = try IncomingFrames() } catch { throw .noThread }
        let outcome = Monitor<Result<Recording, SpeechError>?>(nil)
        let isStarted = startThread("microphone") {
            let finder = SpeechFinder(rate: rate, detector, detectorTimeout: limits.detectorTimeout) {
                event(.detectorFails($0))
            }
            let result = self.listen(read, incoming, finder, isStopped, event)
            close()
            if case .success(let recording) = result { event(.understanding(recording.reason)) }
            incoming.end()
            outcome.update { $0 = result }
        }
        guard isStarted else { throw .noThread }
        defer {
            // The listening thread must end before this method returns.
            incoming.abandon()
            stop()
            _ = outcome.wait { $0 == nil ? nil : true }
        }
        var request = request
        request.isLive = true
        request.wants.formUnion([.partials, .words])
        _ = try rethrowing(
            lane.listen(request, to: incoming, unless: isStopped) { part in
                if case .text(let text) = part { event(text.isFinal ? .text(text) : .partial(text)) }
                return !isStopped()
            }, as: SpeechError.ofRecognizer)
        // The recognizer may have ended early, leaving the listening thread blocked by a full queue.
        incoming.abandon()
        stop()
        guard let result = outcome.wait(until: { $0 }) else { throw .noThread }
        return try result.get()
    }

    /// Listens until it is stopped, the audio ends or a limit is reached. Each utterance is transcribed after it ends,
    /// while the next one is being recorded. Blocks until all utterances have been transcribed. Events are delivered on
    /// two threads, possibly concurrently.
    ///
    /// If a recognizer fails, the utterance is lost, an event reports the failure, and the next utterance uses a
    /// different lane. Two consecutive failures end listening with an error.
    ///
    /// - Parameters:
    ///   - lane: returns the lane for an utterance. Blocks until one is available.
    ///   - detector: a voice activity detector for the sample rate of the audio, or nil to use loudness.
    ///   - read: returns more audio, or nil at the end of the audio. Blocks until audio is available.
    ///   - stop: makes `read` return nil.
    ///   - close: called on the reading thread after the last read, before the `understanding` event.
    ///   - isStopped: returns true to end listening. Audio that has already been received is still transcribed.
    ///   - isCancelled: returns true to return immediately.
    package func runUtterances(
        _ request: RecognitionJob, by lane: TakeLane,
        detectedBy detector: (any RecognitionLane)? = nil, _ read: @escaping Read, stop: @escaping @Sendable () -> Void,
        close: @escaping @Sendable () -> Void = {}, unless isStopped: @escaping @Sendable () -> Bool = { false },
        isCancelled: @escaping @Sendable () -> Bool = { false }, _ event: @escaping @Sendable (Event) -> Void
    ) throws(SpeechError) -> ListeningEnd.Reason {
        let queue = Monitor(UtteranceQueue())
        let isStarted = startThread("microphone") {
            let finder = UtteranceFinder(
                rate: rate, most: Self.maximumLag * rate, detector, detectorTimeout: limits.detectorTimeout
            ) { event(.detectorFails($0)) }
            let result = self.listen(read, finder, queue, { isStopped() || isCancelled() }, event)
            finder.cancel()
            close()
            if case .success(let reason) = result { event(.understanding(reason)) }
            queue.update { $0.outcome = result }
        }
        guard isStarted else { throw .noThread }
        defer {
            // The listening thread must end before this method returns.
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
        guard let outcome = queue.read({ $0.outcome }) else { return .transcribed }
        return try outcome.get()
    }

    /// The maximum number of seconds by which the recognizer may lag behind. At this limit, the listening thread waits.
    private static let maximumLag = 600

    private func listen(
        _ read: Read, _ incoming: IncomingFrames, _ finder: SpeechFinder, _ isStopped: () -> Bool,
        _ event: (Event) -> Void
    ) -> Result<Recording, SpeechError> {
        defer { finder.cancel() }
        var end = ListeningEnd(rate: rate, timeout: limits.timeout, inactivity: limits.inactivity)
        var position = 0
        /// The recorded audio, starting at frame `dropped`.
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
        var reason = ListeningEnd.Reason.transcribed
        event(.listening)
        listening: while !isStopped() {
            let next: [Float]?
            do { next = try read() } catch { return .failure(SpeechError(microphone: error)) }
            guard let next else { break }
            var rest = next[...]
            // Process the audio in small pieces so that listening ends exactly at the limit.
            while !rest.isEmpty {
                let piece = rest.prefix(max(1, min(end.left(at: position), rate / 100)))
                rest = rest.dropFirst(piece.count)
                position += piece.count
                if keepsSound {
                    sound += piece
                    // Before speech starts, keep only the silence that may become the padding before it.
                    if speech == nil, sound.count > 2 * rate {
                        dropped += sound.count - rate
                        sound.removeFirst(sound.count - rate)
                    }
                }
                if let level = meter.add(piece) { event(.level(level)) }
                for found in finder.add(piece) { note(found) }
                incoming.add(piece)
                if let over = end.reason(at: position) {
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
