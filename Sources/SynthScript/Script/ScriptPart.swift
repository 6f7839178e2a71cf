import Glibc

/// A part of a document, in the order of playback. Every script format is parsed into these parts.
package enum ScriptPart: Sendable, Equatable {
    case text(ScriptText)
    /// Silence of exactly this length, which no rate changes. It replaces the pause after the preceding text.
    case silence(Duration, source: Range<Int>)
    /// A named position that is reported to the listener.
    case mark(String, source: Range<Int>)
    case clip(ScriptClip)
    /// The end of a sentence or paragraph, whatever its punctuation.
    case end(PauseKind)
}

/// The kind of pause after an utterance. Playback converts it to a duration, and omits it after the last utterance.
package enum PauseKind: Sendable, Equatable {
    /// The sentence continues: it was split because of its length, to start playback earlier, or because the style
    /// changes.
    case none
    /// The end of a sentence, a list item or a line that ends with a colon.
    case sentence
    /// An empty line or a page break follows.
    case paragraph
    /// The end of a heading.
    case heading
    /// A silence of exact length follows as the next step, and the engine's own trailing silence is removed.
    case silence
}

/// A range of text of one style. A sentence may continue in the next one.
package struct ScriptText: Sendable, Equatable {
    /// The text; never empty. Line breaks are treated as in plain text: an empty line ends a paragraph.
    package var text: String
    /// The source positions of the text in the document.
    package var source: SourceMap
    package var style: ScriptStyle
    /// The pronunciation of the whole text; nil to leave it to the engine.
    package var pronunciation: ScriptPronunciation?
    /// The kind of the whole text, such as a date; nil if the script does not state it.
    package var reading: ScriptReading?

    package init(
        _ text: String, source: SourceMap, style: ScriptStyle = ScriptStyle(),
        pronunciation: ScriptPronunciation? = nil, reading: ScriptReading? = nil
    ) {
        self.text = text
        self.source = source
        self.style = style
        self.pronunciation = pronunciation
        self.reading = reading
    }
}

/// The style of a part of a script, relative to the settings of the whole script.
package struct ScriptStyle: Equatable, Sendable {
    /// The voice; nil for the voice that speaks the script.
    package var voice: ScriptVoice?
    /// The BCP 47 tag, as written; nil for the language of the voice.
    package var language: String?
    /// Factors relative to the whole script, from 0.1 to 10.
    package var rate = 1.0
    package var pitch = 1.0
    /// How the pitch moves around that factor; nil if it does not.
    package var contour: PitchContour?
    /// A factor for the natural range of the pitch, from 0 to 2.
    package var intonation = 1.0
    /// Whether the text is whispered.
    package var isWhispered = false
    /// A factor of the amplitude, from 0 to 100.
    package var volume = 1.0

    package init(
        voice: ScriptVoice? = nil, language: String? = nil, rate: Double = 1, pitch: Double = 1, volume: Double = 1
    ) {
        self.voice = voice
        self.language = language
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
    }
}

/// The voice that a script requests. At least one property is set.
package struct ScriptVoice: Hashable, Sendable {
    /// A voice name, as a user would type it after `-v`.
    package var name: String?
    /// A BCP 47 tag, as written.
    package var language: String?
    /// "female", "male" or "neutral".
    package var gender: String?
    /// Whether another voice may be used if no voice has this name, as SSML specifies.
    package var mayBeAnother = false

    package init(name: String? = nil, language: String? = nil, gender: String? = nil) {
        self.name = name
        self.language = language
        self.gender = gender
    }
}

/// The kind of a text, as stated by the script, for normalization.
package struct ScriptReading: Sendable, Equatable {
    /// The name in the document: "date", "telephone".
    package var kind: String
    /// The order of its parts, for example of a date: "dmy".
    package var format: String?

    package init(kind: String, format: String? = nil) {
        self.kind = kind
        self.format = format
    }
}

/// The pronunciation of a range of text.
package struct ScriptPronunciation: Sendable, Equatable {
    /// Phonemes in IPA, with words separated by spaces. It never contains `]]`.
    package var ipa: String
    /// Whether an engine without support for phonemes may speak the text itself. False if the text is the notation, as
    /// in `[[ipa]]`.
    package var hasWords: Bool
    /// The lexicon line of the pronunciation; nil if the document itself contains it.
    package var lexicon: LexiconLine?

    package init(ipa: String, hasWords: Bool, lexicon: LexiconLine? = nil) {
        self.ipa = ipa
        self.hasWords = hasWords
        self.lexicon = lexicon
    }
}

/// The location of a lexicon entry.
package struct LexiconLine: Sendable, Equatable {
    /// The path; empty without a file.
    package let file: String
    /// The line, counted from 1.
    package let line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}

/// A recording that a script requests.
package struct ScriptClip: Sendable, Equatable {
    /// The name in the document: a configured clip, or a path below the folder of the document. Never trusted.
    package var name: String
    /// The gain in decibels; 0 for the recorded level.
    package var gain: Double
    /// The channel on which it plays in parallel to the speech; nil to play it within the speech, which continues after
    /// it.
    package var channel: String?
    /// The parts to speak if the clip does not exist.
    package var alternative: [ScriptPart]
    package var source: Range<Int>

    package init(
        _ name: String, gain: Double = 0, channel: String? = nil, alternative: [ScriptPart] = [], source: Range<Int>
    ) {
        self.name = name
        self.gain = gain
        self.channel = channel
        self.alternative = alternative
        self.source = source
    }
}

/// Returns the parts of a script one after another, and keeps in memory only what it needs for the next one. Not
/// thread-safe; nothing blocks.
package protocol ScriptReader {
    /// The next part; nil after the last one.
    mutating func next() throws(ScriptError) -> ScriptPart?
}

extension ScriptReader {
    /// All remaining parts.
    package mutating func rest() throws(ScriptError) -> [ScriptPart] {
        var parts: [ScriptPart] = []
        while let part = try next() { parts.append(part) }
        return parts
    }
}

/// A reader for an array of parts.
package struct ScriptPartList: ScriptReader {
    /// The parts in reverse order, so that the next part is removed from the end.
    private var parts: [ScriptPart]

    package init(_ parts: [ScriptPart]) { self.parts = parts.reversed() }

    package mutating func next() -> ScriptPart? { parts.popLast() }
}

/// How the pitch changes over a range of the document.
package struct PitchContour: Equatable, Sendable {
    /// A pitch at a position in the range.
    package struct Target: Equatable, Sendable {
        /// The position in the range, from 0 to 1.
        package var share: Double
        /// A factor relative to the pitch of the range, from 0.1 to 10.
        package var factor: Double

        package init(share: Double, factor: Double) {
            self.share = share
            self.factor = factor
        }
    }

    /// The targets in ascending order, at least one. The pitch is constant before the first and after the last.
    package let targets: [Target]
    /// The range in bytes of the document, which serves as the time axis.
    package let source: Range<Int>

    /// - Parameter targets: in any order; two targets at the same position are a step.
    package init?(_ targets: [Target], source: Range<Int>) {
        guard !targets.isEmpty else { return nil }
        // The sort is stable.
        self.targets = targets.sorted { $0.share < $1.share }
        self.source = source
    }

    /// The factor at a byte of the document.
    package func factor(at place: Int) -> Double {
        let share = Double(place - source.lowerBound) / Double(max(source.count, 1))
        guard let after = targets.firstIndex(where: { $0.share > share }) else { return targets.last?.factor ?? 1 }
        guard after > 0 else { return targets[0].factor }
        let (first, second) = (targets[after - 1], targets[after])
        let part = (share - first.share) / (second.share - first.share)
        return first.factor * pow(second.factor / first.factor, part)
    }

    /// The document byte of a target.
    package func place(of target: Target) -> Int {
        source.lowerBound + Int((target.share * Double(source.count)).rounded())
    }
}
