import CEspeakNG
import EngineKit

/// Turns what libespeak-ng reports during one synthesis into frames and events.
struct Utterance {
    private let places: WordPlaces
    private var lastWord = -1
    private var lastSentence = -1
    private var samples: [Float] = []

    init(places: WordPlaces) { self.places = places }

    /// The events belong to these samples, or to those that follow.
    mutating func take(
        _ pcm: UnsafeBufferPointer<Int16>, _ events: UnsafePointer<espeak_EVENT>, to output: borrowing SpeechOutput
    ) throws {
        var next = events
        while next.pointee.type != espeakEVENT_LIST_TERMINATED {
            try take(next.pointee, to: output)
            next += 1
        }
        guard !pcm.isEmpty else { return try output.check() }
        if samples.count < pcm.count { samples = [Float](repeating: 0, count: pcm.count) }
        var converted = samples.mutableSpan
        for index in pcm.indices { converted[index] = Float(pcm[index]) / 32768 }
        try output.write(samples.span.extracting(first: pcm.count))
    }

    /// libespeak-ng reports a place of 0, or one before the last word, for pauses and the parts of one word. Those are
    /// no events.
    private mutating func take(_ event: espeak_EVENT, to output: borrowing SpeechOutput) throws {
        guard event.text_position > 0 else { return }
        let frame = max(output.frame, UInt64(max(event.sample, 0)))
        switch event.type {
        case espeakEVENT_SENTENCE:
            guard let word = places.word(at: Int(event.text_position), length: 1), word.ordinal > lastSentence else {
                return
            }
            lastSentence = word.ordinal
            try output.sentence(word.bytes.lowerBound..<word.bytes.lowerBound, at: frame)
        case espeakEVENT_WORD:
            guard let word = places.word(at: Int(event.text_position), length: Int(event.length)),
                word.ordinal > lastWord
            else { return }
            lastWord = word.ordinal
            try output.word(word.bytes, at: frame)
        default: break
        }
    }
}
