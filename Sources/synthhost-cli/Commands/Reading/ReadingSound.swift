import SynthAudio
import SynthBooks
import SynthHost
import SynthSystem

/// The buffered audio around the position at the engine's tempo, with its sentences and words. Frames are numbered from the start of the
/// synthesis. The amount of audio before the position is limited.
struct ReadingSound {
    /// A word or sentence with its first frame.
    struct Mark: Equatable {
        let frame: Int
        let block: Int
        /// The byte range in the block's text.
        let range: Range<Int>

        var place: ReadPosition { ReadPosition(block: block, byte: range.lowerBound) }
    }

    /// The audio format, or nil until the first audio arrives.
    private(set) var format: AudioFormat?
    private(set) var sentences: [Mark] = []
    private(set) var words: [Mark] = []
    /// The first buffered frame.
    private(set) var start = 0
    private var samples: [Float] = []

    /// The number of seconds of audio to keep before the position.
    private static let maximumSecondsBehind = 120
    /// The minimum number of seconds of audio to drop at a time, because each drop moves the entire buffer.
    private static let slack = 30

    /// The frame after the last buffered frame.
    var end: Int { start + samples.count / (format?.channels ?? 1) }

    func seconds(_ frames: Int) -> Double { Double(frames) / Double(format?.sampleRate ?? 1) }

    func frames(_ seconds: Double) -> Int { Int((seconds * Double(format?.sampleRate ?? 0)).rounded()) }

    mutating func begin(_ format: AudioFormat) { self.format = format }

    mutating func append(_ more: [Float]) { samples += more }

    mutating func appendSilence(of seconds: Double) {
        samples += [Float](repeating: 0, count: frames(seconds) * (format?.channels ?? 1))
    }

    /// A sentence may be synthesized in several parts. Only the first part is marked.
    mutating func add(sentence: Mark) { if sentences.last?.place != sentence.place { sentences.append(sentence) } }
    mutating func add(word: Mark) { words.append(word) }

    /// Returns up to `count` frames, starting at `frame`.
    func samples(from frame: Int, atMost count: Int) -> [Float] {
        let channels = format?.channels ?? 1
        let first = max(0, frame - start) * channels
        let last = min(samples.count, first + count * channels)
        return first < last ? Array(samples[first..<last]) : []
    }

    /// Drops the audio that is too far before the frame.
    mutating func drop(behind head: Int) {
        guard let format, head - start > (Self.maximumSecondsBehind + Self.slack) * format.sampleRate else { return }
        let first = head - Self.maximumSecondsBehind * format.sampleRate
        samples.removeFirst((first - start) * format.channels)
        start = first
        // A sentence whose start has been dropped cannot be a seek target.
        sentences.removeFirst(sentences.prefix { $0.frame < first }.count)
        words.removeFirst(words.prefix { $0.frame < first }.count)
    }

    /// The first frame of the sentence that contains a position, or nil if its audio is not buffered.
    func frame(of place: ReadPosition) -> Int? {
        sentences.last { $0.block == place.block && $0.range.contains(place.byte) }?.frame
    }

    static func last(of marks: [Mark], at frame: Int) -> Mark? {
        let next = marks.firstSortedIndex { $0.frame > frame }
        return next > 0 ? marks[next - 1] : nil
    }

    /// The duration of the buffered audio per byte of its text, or nil if too little audio is buffered.
    func secondsPerByte(in text: ReadText) -> Double? {
        guard let first = sentences.first, let last = sentences.last else { return nil }
        let bytes = text.offset(of: last.place) - text.offset(of: first.place)
        return bytes >= 100 ? seconds(last.frame - first.frame) / Double(bytes) : nil
    }
}

/// Synthesis ahead of the playback position.
extension ReadingPlayer {
    /// The maximum number of seconds of audio to synthesize ahead of the position.
    private static let lookAhead = 30.0

    private var text: ReadText { state.read { $0.text } }

    /// Replaces the beginning of a text with the entire text, which must extend it.
    func complete(with whole: ReadText) { state.update { $0.text = whole } }

    /// Returns the segment that starts at a sentence, or nil at the end of the text or if another synthesis has
    /// started. If the segment reaches the end of an incomplete text, blocks until the entire text has been read.
    private func piece(from place: ReadPosition, _ feed: Int) -> ReadText.Piece? {
        while true {
            let text = text
            let piece = text.piece(from: place)
            if text.isWhole || piece?.next != nil { return piece }
            let isWanted = state.wait { $0.feed != feed ? false : $0.text.isWhole ? true : nil }
            guard isWanted == true else { return nil }
        }
    }

    /// Restarts synthesis at the position that the body returns. The body may change the state.
    func restart(_ body: (inout State) -> ReadPosition) {
        let (speech, feed, voice, place) = state.update { state -> (Speech?, Int, Voice?, ReadPosition) in
            let place = body(&state)
            Self.fallSilent(&state)
            (state.sound, state.head, state.target) = (ReadingSound(), 0, place)
            (state.isFed, state.isStarved, state.hasFinished, state.failure) = (false, false, false, nil)
            state.begun = []
            state.feed += 1
            return (Self.taken(&state.speech), state.feed, state.voice, place)
        }
        speech?.cancel()
        guard let voice else { return }
        guard startsPlaying() else { return fail(.noThread, feed) }
        let hasThread = startThread("reading-ahead") { [self] in
            do throws(SpeechError) {
                try speak(from: place, voice, feed)
            } catch {
                fail(error, feed)
            }
        }
        if !hasThread { fail(.noThread, feed) }
    }

    /// Starts the playback thread, unless it is running. Returns false if the system does not allow another thread.
    private func startsPlaying() -> Bool {
        let isFirst = state.update { state in
            defer { state.hasThread = true }
            return !state.hasThread
        }
        guard isFirst else { return true }
        let hasStarted = startThread("reading") { [self] in play() }
        state.update { $0.hasThread = hasStarted }
        return hasStarted
    }

    private func fail(_ failure: SpeechError, _ feed: Int) {
        state.update { state in
            guard state.feed == feed else { return }
            state.failure = failure
            if !state.hasThread { state.isPlaying = false }
        }
        onStatus()
    }

    /// Synthesizes the text from a position and buffers the audio. Blocks until the end of the text, or until another synthesis starts.
    private func speak(from place: ReadPosition, _ voice: Voice, _ feed: Int) throws(SpeechError) {
        var next: ReadPosition? = place
        while let from = next, let piece = piece(from: from, feed) {
            let speech = voice.session.speak(try ScriptSource(piece.script.script)) { session in
                var settings = voice.settings(session)
                settings.want([.sentences, .words])
                return settings
            }
            let isWanted = state.update { state in
                if state.feed == feed { state.speech = speech }
                return state.feed == feed
            }
            guard isWanted, try take(speech, of: piece, feed) else { return }
            next = piece.next
            if piece.next != nil {
                let seconds = piece.endsChapter ? silence.chapter : silence.paragraph
                keep(feed) { $0.appendSilence(of: seconds) }
            }
        }
        state.update { if $0.feed == feed { $0.isFed = true } }
        onStatus()
    }

    private func keep(_ feed: Int, _ change: (inout ReadingSound) -> Void) {
        state.update { if $0.feed == feed { change(&$0.sound) } }
    }

    /// Returns false if another synthesis has started.
    private func take(_ speech: Speech, of piece: ReadText.Piece, _ feed: Int) throws(SpeechError) -> Bool {
        var reader = SpeechReader(speech, isHeard: true)
        let base = state.read { $0.sound.end }
        func mark(_ event: Speech.Event, isSentence: Bool) -> ReadingSound.Mark? {
            guard let (block, range) = piece.place(of: event.source) else { return nil }
            let whole = isSentence ? text.range(of: ReadPosition(block: block, byte: range.lowerBound)) : nil
            return .init(frame: base + event.frame, block: block, range: whole ?? range)
        }
        while let parts = try reader.next() {
            let isWanted = state.wait { state -> Bool? in
                if state.feed != feed { return false }
                let ahead = state.sound.seconds(state.sound.end - state.head)
                return state.sound.format == nil || ahead < Self.lookAhead ? true : nil
            }
            guard isWanted == true else { return false }
            for part in parts {
                switch part {
                case .format(let format):
                    keep(feed) { $0.begin(AudioFormat(sampleRate: format.sampleRate, channels: format.channels)) }
                case .audio(let audio): keep(feed) { $0.append(audio.samples) }
                case .sentence(let event):
                    if let mark = mark(event, isSentence: true) { keep(feed) { $0.add(sentence: mark) } }
                case .word(let event):
                    if let mark = mark(event, isSentence: false) { keep(feed) { $0.add(word: mark) } }
                default: break
                }
            }
        }
        return state.read { $0.feed == feed }
    }
}
