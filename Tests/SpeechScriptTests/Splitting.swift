import SynthScript
import SynthSystem

/// Splits complete documents so that tests can compare the results.
enum Splitting {
    static func utterances(
        _ bytes: [UInt8], limits: UtteranceLimits = UtteranceLimits(), chunk: Int = .max
    ) throws(SpeechError) -> [Utterance] {
        var script = PlainTextScript(limits: limits)
        var found: [Utterance] = []
        var index = 0
        while index < bytes.count {
            let end = index + min(chunk, bytes.count - index)
            try script.append(Array(bytes[index..<end]).span)
            while let utterance = script.next() { found.append(utterance) }
            index = end
        }
        try script.finish()
        while let utterance = script.next() { found.append(utterance) }
        return found
    }

    static func texts(
        _ text: String, limits: UtteranceLimits = UtteranceLimits(), chunk: Int = .max
    ) throws(SpeechError) -> [String] {
        try utterances(Array(text.utf8), limits: limits, chunk: chunk).map(\.text)
    }
}
