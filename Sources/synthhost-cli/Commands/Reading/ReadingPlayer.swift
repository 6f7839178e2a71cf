import SynthAudio
import SynthHost
import SynthSystem

/// Plays text and supports seeking. Audio around the position is buffered at the engine's tempo and stretched during playback, so
/// neither a new tempo nor a short seek requires new synthesis. Thread-safe.
final class ReadingPlayer: Sendable {
    /// The visible state of the player.
    struct Status: Equatable {
        enum Phase: Equatable {
            case loading, speaking, paused, buffering, finished
            case failed(SpeechError)
        }
        var phase: Phase
        /// The current sentence.
        var place: ReadPosition
        /// The byte range of the current word in the block's text, or nil if it is unknown.
        var word: Range<Int>?
        var secondsPerByte: Double?
    }

    /// A voice with its settings.
    struct Voice: Sendable {
        let session: SpeechSession
        let settings: @Sendable (SpeechSession) -> SpeechSettings
    }

    /// The starting point of a mapping from device frames to buffered frames, and the tempo from that point on.
    struct Origin {
        let out: Int
        let frame: Int
        let tempo: Double
    }

    struct State {
        var text: ReadText
        var voice: Voice?
        var sound = ReadingSound()
        /// The next frame to pass to the device.
        var head = 0
        /// The position if no audio is buffered.
        var target: ReadPosition
        var isPlaying = false
        var tempo = 1.0
        /// The number of the current device session. Audio for an earlier session is discarded.
        var run = 0
        var sink: (any AudioSink)?
        var origins: [Origin] = []
        var handed = 0
        /// The number of the current synthesis. Audio from an earlier synthesis is discarded.
        var feed = 0
        var speech: Speech?
        /// Whether synthesis has reached the end of the text.
        var isFed = false
        var isStarved = false
        /// The sentences that have started to play since the last ``takeNews()``.
        var begun: [ReadPosition] = []
        var hasFinished = false
        var failure: SpeechError?
        var isClosed = false
        var hasThread = false
    }
    let state: Monitor<State>
    private let device: @Sendable () -> any AudioSink
    let onStatus: @Sendable () -> Void
    let silence: (paragraph: Double, chapter: Double)

    /// The range of tempos that ``setTempo(_:)`` allows.
    static let tempos = 0.5...4.0

    /// - Parameters:
    ///   - device: creates a sink. Called for each device session, which starts after a pause, a seek or a change of voice.
    ///   - onStatus: called on the player's threads after `status` has changed.
    init(
        _ text: ReadText, from place: ReadPosition, tempo: Double, pauses: SpeechPauses,
        device: @escaping @Sendable () -> any AudioSink, onStatus: @escaping @Sendable () -> Void
    ) {
        self.device = device
        self.onStatus = onStatus
        silence = (pauses.paragraph.seconds, pauses.chapter.seconds)
        state = Monitor(State(text: text, target: text.sentence(place), tempo: tempo))
    }

    /// Stops playback and synthesis, and ends the threads.
    func close() {
        state.update { state in
            state.isPlaying = false
            Self.fallSilent(&state)
            state.feed += 1
            state.isClosed = true
            return Self.taken(&state.speech)
        }?.cancel()
    }

    // MARK: - Playback control

    /// Switches to a voice and restarts at the beginning of the current sentence.
    func speak(with voice: Voice) {
        restart { state in
            state.voice = voice
            return self.place(state)
        }
    }

    func resume() {
        let (failed, finished) = state.read { ($0.failure != nil, $0.hasFinished) }
        if failed || finished {
            restart { state in finished ? state.text.firstSentence(from: 0) ?? state.target : self.place(state) }
        }
        state.update { $0.isPlaying = $0.hasThread || $0.failure == nil }
    }

    /// Stops the audio immediately. `resume` continues from the next frame.
    func pause() {
        state.update { state in
            state.isPlaying = false
            Self.fallSilent(&state)
        }
    }

    /// Seeks to a sentence. A paused player stays paused.
    func seek(to place: ReadPosition) {
        let isHere = state.update { state -> Bool in
            guard state.failure == nil, let frame = state.sound.frame(of: place) else { return false }
            Self.fallSilent(&state)
            (state.head, state.hasFinished, state.isStarved, state.begun) = (frame, false, false, [])
            return true
        }
        if !isHere { restart { _ in place } }
    }

    /// Skips seconds of playback at the current tempo. If the target is not buffered, seeks to a sentence near its estimated position.
    func skip(_ seconds: Double) {
        let goal = state.update { state -> ReadPosition? in
            let frame = Self.played(state) + state.sound.frames(seconds * state.tempo)
            let isHere = frame >= state.sound.start && (frame < state.sound.end || state.isFed)
            if state.sound.format != nil, state.failure == nil, isHere {
                Self.fallSilent(&state)
                (state.head, state.hasFinished, state.isStarved) = (min(frame, state.sound.end), false, false)
                state.begun = []
                return nil
            }
            let bytes = seconds * state.tempo / (state.sound.secondsPerByte(in: state.text) ?? Self.usualSecondsPerByte)
            return state.text.sentence(at: state.text.offset(of: self.place(state)) + Int(bytes))
        }
        if let goal { seek(to: goal) }
    }

    /// Assumes 160 words per minute and six bytes per word, including the space.
    static let usualSecondsPerByte = 60.0 / 160 / 6

    func setTempo(_ tempo: Double) {
        state.update { $0.tempo = min(max(tempo, Self.tempos.lowerBound), Self.tempos.upperBound) }
    }

    var status: Status { state.read { self.status($0) } }

    /// Returns the status and all sentences that have started to play since the last call or seek.
    func takeNews() -> (begun: [ReadPosition], status: Status) {
        state.update { state in
            defer { state.begun = [] }
            return (state.begun, status(state))
        }
    }

    private static let maximumBegun = 1000

    // MARK: - Position

    private func status(_ state: State) -> Status {
        let phase: Status.Phase
        if let failure = state.failure, !state.isPlaying {
            phase = .failed(failure)
        } else if state.hasFinished {
            phase = .finished
        } else if !state.isPlaying {
            phase = .paused
        } else if state.sound.format == nil {
            phase = .loading
        } else {
            phase = state.isStarved ? .buffering : .speaking
        }
        let frame = Self.played(state)
        let sentence = ReadingSound.last(of: state.sound.sentences, at: frame)
        var word = ReadingSound.last(of: state.sound.words, at: frame)
        if let known = word, let sentence, known.frame < sentence.frame { word = nil }
        return Status(
            phase: phase, place: sentence?.place ?? state.target, word: word?.range,
            secondsPerByte: state.sound.secondsPerByte(in: state.text))
    }

    private func place(_ state: State) -> ReadPosition {
        state.text.sentence(ReadingSound.last(of: state.sound.sentences, at: Self.played(state))?.place ?? state.target)
    }

    /// The buffered frame that the device is playing.
    private static func played(_ state: State) -> Int {
        guard let sink = state.sink else { return state.head }
        let out = max(0, state.handed - sink.queuedFrames())
        guard let origin = state.origins.last(where: { $0.out <= out }) else { return state.head }
        return min(origin.frame + Int(Double(out - origin.out) * origin.tempo), state.head)
    }

    /// Ends the device session. Playback will continue from the first frame that the device has not played.
    static func fallSilent(_ state: inout State) {
        state.head = played(state)
        state.run += 1
        state.sink?.stop()
        (state.sink, state.handed, state.origins) = (nil, 0, [])
    }

    static func taken(_ speech: inout Speech?) -> Speech? {
        defer { speech = nil }
        return speech
    }

    // MARK: - The device

    private enum Step {
        case play([Float], from: Int, AudioFormat, tempo: Double, run: Int)
        case finish(run: Int)
        /// The session of the opened device has ended.
        case release
        case fail(run: Int)
        case close
    }

    /// An open device and the tempo change for its audio.
    private struct Opened {
        let run: Int
        let sink: any AudioSink
        var playback: Playback
        var stretch: TempoStretch
    }

    /// Runs the playback thread until `close`.
    func play() {
        var (opened, last, begun) = (Opened?.none, Status?.none, ReadPosition?.none)
        while true {
            let timeout = opened.flatMap { opened in
                state.read { $0.isStarved || $0.run != opened.run } ? nil : opened.playback.timeUntilPause
            }
            let step = state.wait(timeout: timeout) { self.step(&$0, opened: opened?.run) }
            do throws(SpeechError) {
                switch step {
                case .close:
                    try? opened?.sink.finish()
                    return
                case .release:
                    try? opened?.sink.finish()
                    opened = nil
                case .play(let samples, let frame, let format, let tempo, let run):
                    try hand(samples, from: frame, format, tempo, run, to: &opened)
                case .finish(let run), .fail(let run):
                    if let last = opened { try finish(last) }
                    opened = nil
                    let isFinished = if case .finish? = step { true } else { false }
                    end(run) { $0.hasFinished = isFinished }
                case nil:
                    // The audio did not arrive in time.
                    try opened?.playback.pause()
                    state.update { $0.isStarved = true }
                }
            } catch {
                try? opened?.sink.finishEarly()
                let run = opened?.run
                opened = nil
                end(run) { $0.failure = error }
            }
            let status = state.update { state in
                let status = self.status(state)
                // Do not report a sentence whose audio is not ready yet: it starts to play later.
                if status.phase == .speaking, status.place != begun {
                    begun = status.place
                    if state.begun.count < Self.maximumBegun { state.begun.append(status.place) }
                }
                return status
            }
            if status == last { continue }
            last = status
            onStatus()
        }
    }

    /// Ends a device session unless a newer one has started.
    private func end(_ run: Int?, _ change: (inout State) -> Void) {
        state.update { state in
            guard run == nil || state.run == run else { return }
            state.isPlaying = false
            Self.fallSilent(&state)
            change(&state)
        }
    }

    private func step(_ state: inout State, opened: Int?) -> Step? {
        if state.isClosed { return .close }
        if let opened, opened != state.run { return .release }
        guard state.isPlaying else { return nil }
        if let format = state.sound.format, state.head < state.sound.end {
            state.isStarved = false
            // Keep the blocks short, so that a new tempo takes effect immediately.
            let samples = state.sound.samples(from: state.head, atMost: format.sampleRate / 50)
            defer {
                state.head += samples.count / format.channels
                state.sound.drop(behind: state.head)
            }
            return .play(samples, from: state.head, format, tempo: state.tempo, run: state.run)
        }
        if state.isFed { return .finish(run: state.run) }
        return state.failure == nil ? nil : .fail(run: state.run)
    }

    private func hand(
        _ samples: [Float], from frame: Int, _ format: AudioFormat, _ tempo: Double, _ run: Int,
        to opened: inout Opened?
    ) throws(SpeechError) {
        if opened?.run != run {
            let sink = device()
            opened = Opened(
                run: run, sink: sink, playback: Playback(sink: sink),
                stretch: try rethrowing(TempoStretch(format: format, tempo: tempo), as: AudioError.asSpeechError))
            state.update { state in
                guard state.run == run else { return }
                (state.sink, state.handed, state.origins) = (sink, 0, [Origin(out: 0, frame: frame, tempo: tempo)])
            }
        }
        guard var device = opened else { return }
        var ready: [Float] = []
        if device.stretch.tempo != tempo {
            try rethrowing(device.stretch.finish(into: &ready), as: AudioError.asSpeechError)
            device.stretch = try rethrowing(TempoStretch(format: format, tempo: tempo), as: AudioError.asSpeechError)
            let out = device.playback.frames + ready.count / format.channels
            state.update { state in
                if state.run == run { state.origins.append(Origin(out: out, frame: frame, tempo: tempo)) }
            }
        }
        try rethrowing(device.stretch.process(samples[...], into: &ready), as: AudioError.asSpeechError)
        if !ready.isEmpty { try device.playback.play(ready, in: format) }
        opened = device
        state.update { if $0.run == run { $0.handed = device.playback.frames } }
    }

    private func finish(_ opened: Opened) throws(SpeechError) {
        var (device, rest) = (opened, [Float]())
        try rethrowing(device.stretch.finish(into: &rest), as: AudioError.asSpeechError)
        if !rest.isEmpty, let format = state.read({ $0.sound.format }) { try device.playback.play(rest, in: format) }
        try device.playback.finish()
        try rethrowing(device.sink.finish(), as: AudioError.asSpeechError)
    }
}
