import SynthAudio
import SynthHost
import SynthSystem

/// Plays a text from wherever the user wants. The engine's sound of the last and the next sentences is kept, so that another tempo or a
/// step back needs no engine; what is played is stretched from it as it goes to the device. Any thread may use it.
final class ReadingPlayer: Sendable {
    /// What the user sees of it.
    struct News: Equatable {
        enum Phase: Equatable {
            case loading, speaking, paused, buffering, finished
            case failed(SpeechError)
        }
        var phase: Phase
        /// The sentence that is heard, or would be next.
        var place: ReadPlace
        /// The word that is heard, in bytes of the block's text; nil = not known.
        var word: Range<Int>?
        var secondsPerByte: Double?
    }

    /// A voice and how it speaks.
    struct Voice: Sendable {
        let session: SpeechSession
        let settings: @Sendable (SpeechSession) -> SpeechSettings
    }

    /// Where the sound of a device came from: from a frame of the device on, from a frame of the kept sound on, at a tempo.
    struct Origin {
        let out: Int
        let frame: Int
        let tempo: Double
    }

    struct State {
        var voice: Voice?
        var sound = ReadingSound()
        /// The next frame for the device.
        var head = 0
        /// What is played while no sound is kept.
        var target: ReadPlace
        var isPlaying = false
        var tempo = 1.0
        /// Counts what was played on one opened device each. Another number makes what the device still has worthless.
        var run = 0
        var sink: (any AudioSink)?
        var origins: [Origin] = []
        var handed = 0
        /// Counts what the engine was asked for.
        var feed = 0
        var speech: Speech?
        /// Whether all sound up to the end of the text has come.
        var isFed = false
        var isDry = false
        var hasFinished = false
        var failure: SpeechError?
        var isClosed = false
    }
    let state: Monitor<State>
    let text: ReadText
    private let device: @Sendable () -> any AudioSink
    let onNews: @Sendable () -> Void
    let silence: (paragraph: Double, chapter: Double)

    /// The range of ``setTempo(_:)``.
    static let tempos = 0.5...4.0

    /// - Parameters:
    ///   - device: makes what the sound goes to; called for each stretch of sound without a pause.
    ///   - onNews: called on the player's threads when the news are others.
    init(
        _ text: ReadText, from place: ReadPlace, tempo: Double, pauses: SpeechPauses,
        device: @escaping @Sendable () -> any AudioSink, onNews: @escaping @Sendable () -> Void
    ) {
        self.text = text
        self.device = device
        self.onNews = onNews
        silence = (pauses.paragraph.seconds, pauses.chapter.seconds)
        state = Monitor(State(target: text.sentence(place), tempo: tempo))
        startThread("reading") { [self] in play() }
    }

    /// Silence, and the end of its threads. The engine is let go.
    func close() {
        state.update { state in
            state.isPlaying = false
            Self.fallSilent(&state)
            state.feed += 1
            state.isClosed = true
            return Self.taken(&state.speech)
        }?.cancel()
    }

    // MARK: - Steering

    /// Speaks with a voice from now on, from the beginning of the sentence that is heard.
    func speak(with voice: Voice) {
        restart { state in
            state.voice = voice
            return self.place(state)
        }
    }

    func resume() {
        let (failed, finished) = state.read { ($0.failure != nil, $0.hasFinished) }
        if failed || finished {
            restart { state in finished ? self.text.firstSentence(from: 0) ?? state.target : self.place(state) }
        }
        state.update { $0.isPlaying = true }
    }

    /// Silence at once; `resume` plays on from the frame that was heard last.
    func pause() {
        state.update { state in
            state.isPlaying = false
            Self.fallSilent(&state)
        }
    }

    /// Goes to a sentence. A paused player stays paused.
    func seek(to place: ReadPlace) {
        let isHere = state.update { state -> Bool in
            guard state.failure == nil, let frame = state.sound.frame(of: place) else { return false }
            Self.fallSilent(&state)
            (state.head, state.hasFinished, state.isDry) = (frame, false, false)
            return true
        }
        if !isHere { restart { _ in place } }
    }

    /// Goes on or back by seconds as they are heard. Where no sound is kept the sentence about there begins.
    func skip(_ seconds: Double) {
        let goal = state.update { state -> ReadPlace? in
            let frame = Self.heard(state) + state.sound.frames(seconds * state.tempo)
            let isHere = frame >= state.sound.start && (frame < state.sound.end || state.isFed)
            if state.sound.format != nil, state.failure == nil, isHere {
                Self.fallSilent(&state)
                (state.head, state.hasFinished, state.isDry) = (min(frame, state.sound.end), false, false)
                return nil
            }
            let bytes = seconds * state.tempo / (state.sound.secondsPerByte(in: self.text) ?? Self.usualSecondsPerByte)
            return self.text.sentence(at: self.text.offset(of: self.place(state)) + Int(bytes))
        }
        if let goal { seek(to: goal) }
    }

    /// 160 words in a minute, of six letters with the space.
    static let usualSecondsPerByte = 60.0 / 160 / 6

    func setTempo(_ tempo: Double) {
        state.update { $0.tempo = min(max(tempo, Self.tempos.lowerBound), Self.tempos.upperBound) }
    }

    var news: News { state.read { self.news($0) } }

    // MARK: - What is heard

    private func news(_ state: State) -> News {
        let phase: News.Phase
        if let failure = state.failure, !state.isPlaying {
            phase = .failed(failure)
        } else if state.hasFinished {
            phase = .finished
        } else if !state.isPlaying {
            phase = .paused
        } else if state.sound.format == nil {
            phase = .loading
        } else {
            phase = state.isDry ? .buffering : .speaking
        }
        let frame = Self.heard(state)
        let sentence = ReadingSound.last(of: state.sound.sentences, at: frame)
        var word = ReadingSound.last(of: state.sound.words, at: frame)
        if let known = word, let sentence, known.frame < sentence.frame { word = nil }
        return News(
            phase: phase, place: sentence?.place ?? state.target, word: word?.range,
            secondsPerByte: state.sound.secondsPerByte(in: text))
    }

    private func place(_ state: State) -> ReadPlace {
        text.sentence(ReadingSound.last(of: state.sound.sentences, at: Self.heard(state))?.place ?? state.target)
    }

    /// The frame of the kept sound that is heard now.
    private static func heard(_ state: State) -> Int {
        guard let sink = state.sink else { return state.head }
        let out = max(0, state.handed - sink.queuedFrames())
        guard let origin = state.origins.last(where: { $0.out <= out }) else { return state.head }
        return min(origin.frame + Int(Double(out - origin.out) * origin.tempo), state.head)
    }

    /// What the device has is dropped, and would be played next.
    static func fallSilent(_ state: inout State) {
        state.head = heard(state)
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
        /// The opened device is not wanted any more.
        case release
        case fail(run: Int)
        case close
    }

    /// An opened device with what stretches the sound for it.
    private struct Opened {
        let run: Int
        let sink: any AudioSink
        var playback: Playback
        var stretch: TempoStretch
    }

    /// Plays whatever is to be played. Blocks until `close`.
    private func play() {
        var opened: Opened?
        var last: News?
        while true {
            let patience = opened.flatMap { opened in
                state.read { $0.isDry || $0.run != opened.run } ? nil : opened.playback.timeUntilPause
            }
            let step = state.wait(timeout: patience) { self.step(&$0, opened: opened?.run) }
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
                case .finish(let run):
                    if let last = opened { try finish(last) }
                    opened = nil
                    end(run) { $0.hasFinished = true }
                case .fail(let run):
                    if let last = opened { try finish(last) }
                    opened = nil
                    end(run) { _ in }
                case nil:
                    // Nothing came in time.
                    try opened?.playback.pause()
                    state.update { $0.isDry = true }
                }
            } catch {
                try? opened?.sink.finishEarly()
                let run = opened?.run
                opened = nil
                end(run) { $0.failure = error }
            }
            let news = news
            if news != last { onNews() }
            last = news
        }
    }

    /// What was played has come to its end, unless something else was wanted meanwhile.
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
            state.isDry = false
            // Short enough that another tempo is heard at once.
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
