/// Turns the sentences of a speech into the text of a file, piece by piece.
struct TimingsText {
    private enum Form {
        case subtitles(SubtitleText, CueTimer, CueSequence)
        case json(TimingsJSON)
    }

    let kind: TimingsKind
    /// What comes first.
    let head: String
    private var form: Form

    init(_ format: TimingsFormat, _ kind: TimingsKind, _ origin: TimingsOrigin, sampleRate: Int) {
        self.kind = kind
        switch format {
        case .srt, .vtt:
            let text = SubtitleText(isWebVTT: format == .vtt)
            head = text.head(kind, origin)
            form = .subtitles(text, CueTimer(sampleRate: sampleRate), CueSequence())
        case .json:
            let text = TimingsJSON(sampleRate: sampleRate)
            head = text.head(kind, origin)
            form = .json(text)
        }
    }

    /// What is known to follow now. Sentences come in the order in which they sound.
    mutating func append(_ sentence: TimedSentence) -> String {
        var sentence = sentence
        if kind == .sentences { sentence.words = [] }
        switch form {
        case .subtitles(var text, let timer, var sequence):
            defer { form = .subtitles(text, timer, sequence) }
            return timer.cues(of: sentence).reduce(into: "") { result, cue in
                if let done = sequence.append(cue) { result += text.block(done) }
            }
        case .json(var text):
            defer { form = .json(text) }
            return text.line(sentence, kind)
        }
    }

    /// The rest.
    /// - Parameters:
    ///   - frames: of the whole sound.
    ///   - isComplete: whether all of the text was spoken.
    mutating func finish(frames: Int, isComplete: Bool) -> String {
        switch form {
        case .subtitles(var text, let timer, var sequence):
            return sequence.finish(at: timer.milliseconds(frames)).map { text.block($0) } ?? ""
        case .json(let text): return text.tail(frames: frames, isComplete: isComplete)
        }
    }
}
