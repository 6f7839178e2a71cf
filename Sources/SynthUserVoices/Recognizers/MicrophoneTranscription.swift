import SynthAudio
import SynthEngineProcesses
import SynthEngineWire
package import SynthListening
package import SynthSystem
import SynthVerbalization

/// Recognizes speech from a microphone. Can be stopped from any thread.
package final class MicrophoneTranscription: Sendable {
    /// The audio sample rate in hertz.
    package var rate: UInt32 { source.facts.rate }

    /// Files that a recording must not overwrite.
    package var inUse: FilesInUse { source.facts.inUse }

    private struct Work {
        var lane: (any RecognitionLane)?
        var detector: (any RecognitionLane)?
        var detectorFailure: EngineFailure?
        var microphone: (any Microphone)?
        var isCancelled = false
    }
    private let source: RecognizerSource
    private let request: RecognitionJob
    private let expected: ExpectedSpeech
    private let work = Monitor(Work())

    /// - Parameter likely: hints that are used only for freeform speech.
    init(
        _ source: RecognizerSource, language: String?, expecting expected: ExpectedSpeech, _ likely: RecognitionJobHints
    ) {
        self.source = source
        self.expected = expected
        let hints =
            switch expected {
            case .freeform: likely
            case .number: RecognitionJobHints(.number)
            case .names(let names): RecognitionJobHints(.choice, phrases: names)
            }
        request = RecognitionJob(language: language, hints: hints)
    }

    deinit {
        let (lane, detector) = work.read { ($0.lane, $0.detector) }
        if let lane { source.release(lane) }
        if let detector { source.release(detector: detector) }
    }

    /// Loads the model. Blocks until it is loaded.
    package func prepare() throws(SpeechError) {
        if work.read({ $0.lane?.isAlive }) != true {
            let lane = try rethrowing(source.takeLane(), as: SpeechError.ofRecognizer)
            work.update { $0.lane = lane }
        }
        // Check the detector separately, because its process may end while the recognizer's process keeps running.
        guard work.read({ $0.detector?.isAlive }) != true else { return }
        do {
            let detector = try source.takeDetector()
            work.update { ($0.detector, $0.detectorFailure) = (detector, nil) }
        } catch {
            // Fall back to detecting speech by loudness.
            work.update { ($0.detector, $0.detectorFailure) = (nil, error) }
        }
    }

    /// Opens the microphone and listens; see `Listener.run`. Loads the model first if necessary.
    ///
    /// - Parameters:
    ///   - device: the ALSA name of the microphone, or nil for the default microphone.
    ///   - isStopped: returns true to end listening.
    package func listen(
        on device: String?, _ limits: Listener.Limits, keepsSound: Bool,
        unless isStopped: @escaping @Sendable () -> Bool, _ event: @escaping @Sendable (Listener.Event) -> Void
    ) throws(SpeechError) -> RecognizedSpeech {
        try prepare()
        guard let lane = work.read({ $0.lane }) else { throw .noThread }
        let microphone = try open(device, event)
        defer { work.update { $0.microphone = nil } }
        let (work, heard) = (work, Monitor<[RecognizedText]>([]))
        let recording = try Listener(rate: rate, limits, keepsSound: keepsSound).run(
            request, by: lane, detectedBy: work.read { $0.detector?.isAlive == true ? $0.detector : nil },
            { () throws(AudioError) in try microphone.read() }, stop: { microphone.stop() },
            close: { microphone.close() }, unless: { work.read { $0.isCancelled } || isStopped() }
        ) { update in
            if case .text(let text) = update, !text.text.isEmpty { heard.update { $0.append(text) } }
            event(update)
        }
        return speech(heard.read { $0 }, recording)
    }

    /// Opens the microphone and listens until it is stopped; see `Listener.runUtterances`. Loads the model first if
    /// necessary.
    ///
    /// - Parameters:
    ///   - device: the ALSA name of the microphone, or nil for the default microphone.
    ///   - isStopped: returns true to end listening.
    package func listenToUtterances(
        on device: String?, _ limits: Listener.Limits, unless isStopped: @escaping @Sendable () -> Bool,
        _ event: @escaping @Sendable (Listener.Event) -> Void
    ) throws(SpeechError) -> RecognizedSpeech.Ending {
        try prepare()
        let microphone = try open(device, event)
        defer { work.update { $0.microphone = nil } }
        let (work, source) = (work, source)
        let reason = try Listener(rate: rate, limits).runUtterances(
            request,
            by: { () throws(EngineFailure) in
                if let lane = work.read({ $0.lane }), lane.isAlive { return lane }
                let lane = try source.takeLane()
                work.update { $0.lane = lane }
                return lane
            }, detectedBy: work.read { $0.detector?.isAlive == true ? $0.detector : nil },
            { () throws(AudioError) in try microphone.read() }, stop: { microphone.stop() },
            close: { microphone.close() }, unless: isStopped, isCancelled: { work.read { $0.isCancelled } }, event)
        return RecognizedSpeech.Ending(reason)
    }

    /// Closes the microphone. Speech recorded so far is still transcribed. Can be called from any thread; does not
    /// block.
    package func stop() { work.read { $0.microphone }?.stop() }

    /// Opens the microphone. If listening is cancelled before the microphone is open, the reading thread detects the
    /// cancellation before its first read.
    private func open(
        _ device: String?, _ event: (Listener.Event) -> Void
    ) throws(SpeechError) -> any Microphone {
        let microphone = try rethrowing(
            source.sounds.microphone(device ?? "default", rate: rate),
            as: { (error: AudioError) in SpeechError(microphone: error) })
        work.update { $0.microphone = microphone }
        if let failure = work.read({ $0.detectorFailure }) { event(.detectorFails(failure)) }
        return microphone
    }

    /// Stops listening immediately, or as soon as listening starts. The microphone closes, and nothing more is
    /// transcribed. Can be called from any thread; does not block.
    package func cancel() {
        let (microphone, lane, detector) = work.update { work in
            work.isCancelled = true
            return (work.microphone, work.lane, work.detector)
        }
        microphone?.stop()
        lane?.cancel()
        detector?.cancel()
    }

    /// Stops the recognizer's process immediately, so that `listen` throws. Never blocks.
    package func end() { source.end() }

    private func speech(_ texts: [RecognizedText], _ recording: Listener.Recording) -> RecognizedSpeech {
        let text = texts.map(\.text).joined(separator: " ")
        let language = texts.compactMap(\.language).first
        var (number, name, distance): (Double?, String?, Double?) = (nil, nil, nil)
        switch expected {
        case .freeform: break
        case .number: number = source.verbalizer(of: language ?? request.language)?.number(heard: text)
        case .names(let names):
            if let nearest = nearest(of: names, texts, text) {
                (name, distance) = (names[nearest.index], nearest.distance)
            }
        }
        return RecognizedSpeech(
            text: text, confidence: texts.compactMap(\.confidence).map(Double.init).min(),
            words: texts.flatMap { RecognizedSpeech.Word.all(of: $0, rate: rate) }, language: language, number: number,
            name: name, distance: distance, ending: RecognizedSpeech.Ending(recording.reason),
            recording: recording.samples)
    }

    /// Returns the name that the recognizer chose or, failing that, the name closest to the transcript. The
    /// recognizer's own choice is more reliable because it draws on more information than the transcript contains.
    private func nearest(of names: [String], _ texts: [RecognizedText], _ text: String) -> NearestName? {
        let chosen = texts.compactMap(\.choice).filter(names.indices.contains)
        guard let choice = chosen.first, chosen.allSatisfy({ $0 == choice }) else {
            return NearestName(of: names, heard: text)
        }
        return NearestName(choice, of: names, heard: text)
    }
}
