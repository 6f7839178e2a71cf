import Glibc

/// A part of a document, in playback order. Every script format is parsed into these parts.
package enum ScriptPart: Sendable, Equatable {
    case text(ScriptText)
    /// Silence of exactly this length, regardless of the rate. It replaces the pause after the preceding text.
    case silence(Duration, source: Range<Int>)
    /// A named position that is reported to the listener.
    case mark(String, source: Range<Int>)
    case clip(ScriptClip)
    /// The end of a sentence or paragraph, regardless of punctuation.
    case end(PauseKind)
}

/// The type of pause after an utterance. Playback converts it to a duration and omits it after the last utterance.
package enum PauseKind: Sendable, Equatable {
    /// No pause, because the sentence continues. It was split because it is long, to start playback earlier, or because
    /// the style changes.
    case none
    /// The end of a sentence, a list item or a line that ends with a colon.
    case sentence
    /// The end of a paragraph, at an empty line or a page break.
    case paragraph
    /// The end of a heading.
    case heading
    /// The next step is a silence of an exact length. The engine's own trailing silence is removed.
    case silence
}

/// Text in a single style. A sentence may continue in the next part.
package struct ScriptText: Sendable, Equatable {
    /// The text, which is never empty. As in plain text, an empty line ends a paragraph.
    package var text: String
    /// The source positions of the text in the document.
    package var source: SourceMap
    package var style: ScriptStyle
    /// The pronunciation of the text, or nil to let the engine determine it.
    package var pronunciation: ScriptPronunciation?
    /// The type of the text, such as a date, or nil if the script does not specify it.
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

/// The style of a script part, relative to the settings for the entire script.
package struct ScriptStyle: Equatable, Sendable {
    /// The requested voice, or nil for the script's main voice.
    package var voice: ScriptVoice?
    /// A BCP 47 tag as written, or nil for the voice's language.
    package var language: String?
    /// The rate factor relative to the entire script, from 0.1 to 10.
    package var rate = 1.0
    /// The pitch factor relative to the entire script, from 0.1 to 10.
    package var pitch = 1.0
    /// Pitch changes relative to the pitch factor, or nil for a constant pitch.
    package var contour: PitchContour?
    /// A factor from 0 to 2 that scales the natural pitch range.
    package var intonation = 1.0
    /// Whether the text is whispered.
    package var isWhispered = false
    /// An amplitude factor, from 0 to 100.
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
    /// A voice name, as passed to the `-v` option.
    package var name: String?
    /// A BCP 47 tag as written.
    package var language: String?
    /// "female", "male" or "neutral".
    package var gender: String?
    /// Whether a different voice may be used if no voice has this name, as SSML specifies.
    package var mayBeAnother = false

    package init(name: String? = nil, language: String? = nil, gender: String? = nil) {
        self.name = name
        self.language = language
        self.gender = gender
    }
}

/// The type of a text passage, as specified by the script. Used for normalization.
package struct ScriptReading: Sendable, Equatable {
    /// The type as written in the document, such as "date" or "telephone".
    package var kind: String
    /// The order of the components, such as "dmy" for a date.
    package var format: String?
}

/// The pronunciation of a text range.
package struct ScriptPronunciation: Sendable, Equatable {
    /// The phonemes in IPA, with words separated by spaces. Never contains `]]`.
    package var ipa: String
    /// Whether an engine without phoneme support may speak the text instead. False if the text is merely the phonemes
    /// themselves, as in `[[ipa]]`.
    package var hasWords: Bool
    /// The lexicon line that defines the pronunciation, or nil if the document itself defines it.
    package var lexicon: LexiconLine?
}

/// The location of a lexicon entry.
package struct LexiconLine: Sendable, Equatable {
    /// The path. Empty if the lexicon is not a file.
    package let file: String
    /// The line number, starting at 1.
    package let line: Int
}

/// An audio clip that a script plays.
package struct ScriptClip: Sendable, Equatable {
    /// The name from the document, which is untrusted: the name of a clip, or a path below the document's folder.
    package var name: String
    /// The gain in decibels; 0 plays the clip at its recorded level.
    package var gain = 0.0
    /// The channel on which to play the clip alongside the speech, or nil to pause the speech while the clip plays.
    package var channel: String?
    /// The parts to speak if the clip does not exist.
    package var alternative: [ScriptPart] = []
    package var source: Range<Int>
}

/// Reads the parts of a script one at a time. Holds only the state that it needs for the next part. Not thread-safe;
/// never blocks.
package protocol ScriptReader {
    /// Returns the next part, or nil after the last one.
    mutating func next() throws(ScriptError) -> ScriptPart?
}

extension ScriptReader {
    /// Returns all remaining parts.
    package consuming func rest() throws(ScriptError) -> [ScriptPart] {
        var parts: [ScriptPart] = []
        while let part = try next() { parts.append(part) }
        return parts
    }
}

/// A script reader for an array of parts.
package struct ScriptPartList: ScriptReader {
    /// The remaining parts in reverse order, so that the next part can be removed from the end.
    private var parts: [ScriptPart]

    package init(_ parts: [ScriptPart]) { self.parts = parts.reversed() }

    package mutating func next() -> ScriptPart? { parts.popLast() }
}

/// Pitch changes within a document range.
package struct PitchContour: Equatable, Sendable {
    /// A pitch at a position in the range.
    package struct Target: Equatable, Sendable {
        /// The position as a fraction of the range, from 0 to 1.
        package var share: Double
        /// A factor relative to the range's pitch, from 0.1 to 10.
        package var factor: Double
    }

    /// The targets, sorted by position. There is at least one. The pitch is constant before the first target and after
    /// the last one.
    package let targets: [Target]
    /// The document range in bytes, used as the time axis.
    package let source: Range<Int>

    /// - Parameter targets: the targets in any order. Two targets at the same position form a step.
    package init?(_ targets: [Target], source: Range<Int>) {
        guard !targets.isEmpty else { return nil }
        // `sorted` is stable, so the order of the two targets of a step is preserved.
        self.targets = targets.sorted { $0.share < $1.share }
        self.source = source
    }

    /// Returns the factor at a document offset in bytes.
    package func factor(at place: Int) -> Double {
        let share = Double(place - source.lowerBound) / Double(max(source.count, 1))
        guard let after = targets.firstIndex(where: { $0.share > share }) else { return targets.last?.factor ?? 1 }
        guard after > 0 else { return targets[0].factor }
        let (first, second) = (targets[after - 1], targets[after])
        let part = (share - first.share) / (second.share - first.share)
        return first.factor * pow(second.factor / first.factor, part)
    }

    /// Returns the document offset of a target in bytes.
    package func place(of target: Target) -> Int {
        source.lowerBound + Int((target.share * Double(source.count)).rounded())
    }
}
