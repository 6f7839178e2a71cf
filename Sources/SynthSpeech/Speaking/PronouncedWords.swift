package import SynthEngineProcesses
import SynthEngineWire
package import SynthScript

/// A word and the phonemes with which the engine pronounces it.
public struct PronouncedWord: Hashable, Sendable {
    /// The word as it is spoken, such as "three" for "3".
    public let text: String
    /// The UTF-8 byte range in the text.
    public let source: Range<Int>
    /// The phonemes in IPA.
    public let ipa: String
}

/// Collects the phonemes of an utterance from the engine's events.
package struct PronouncedWords {
    private let utterance: Utterance
    private let text: EngineText
    /// The phonemes collected so far, with byte ranges in the utterance's text.
    private var found: [(place: Range<Int>, ipa: String)] = []

    /// Returns the phonemes of each word. Blocks while the engine processes the text. If the engine can report phonemes only
    /// while it synthesizes audio, the audio is discarded.
    ///
    /// - Parameters:
    ///   - utterance: an utterance with normalized text.
    ///   - isNotation: whether `[[ … ]]` in the text contains phonemes.
    package static func list(
        _ utterance: Utterance, by voice: PreparedVoice, in language: String?, isNotation: Bool, takesPhonemes: Bool,
        on lane: any SpeakingLane
    ) throws(EngineFailure) -> [PronouncedWord] {
        let text = EngineText(utterance, takesPhonemes: takesPhonemes)
        guard !text.form.text.isEmpty else { return [] }
        let hasPhonemes = text.form.hasPhonemes || isNotation && text.form.text.contains("[[")
        let content: SpokenText = hasPhonemes ? .textAndPhonemes(text.form.text) : .text(text.form.text)
        var request = LaneRequest(content, language: language, voices: voice.uses, wants: [.word, .phoneme])
        request.wantsOnlyEvents = true
        var words = PronouncedWords(utterance: utterance, text: text)
        _ = try lane.speak(request) { part in
            if case .event(let event) = text.placed(part) { words.take(event) }
            return true
        }
        return words.list
    }

    private mutating func take(_ event: SpeechEvent) {
        guard let label = event.label, event.kind == .phoneme else {
            if event.kind == .word, found.last?.place != event.text { found.append((event.text, "")) }
            return
        }
        // A phoneme without a text range is part of the last word.
        if event.text.isEmpty, !found.isEmpty {
            found[found.count - 1].ipa += label
        } else if let place = found.lastIndex(where: { $0.place == event.text }) {
            found[place].ipa += label
        } else {
            found.append((event.text, label))
        }
    }

    private var list: [PronouncedWord] {
        let bytes = Array(utterance.text.utf8)
        return found.filter { !$0.ipa.isEmpty }.map { word in
            PronouncedWord(
                text: String(decoding: bytes[word.place.clamped(to: 0..<bytes.count)], as: UTF8.self),
                source: utterance.source.sourceRange(of: word.place), ipa: word.ipa)
        }
    }
}
