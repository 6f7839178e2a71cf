import Glibc

/// What a document says, taken apart in the order in which it sounds. Every form of script is read into these.
package enum ScriptPart: Sendable, Equatable {
    case text(ScriptText)
    /// Silence of exact length. It replaces the pause of what was said before, and no rate changes it.
    case silence(Duration, source: Range<Int>)
    /// A place that a listener wants to be told of.
    case mark(String, source: Range<Int>)
    case clip(ScriptClip)
    /// What was said so far ends here, whatever its punctuation: a sentence or a paragraph.
    case end(PauseKind)
}

/// The kind of pause after an utterance. The playback turns it into time and leaves it out after the last utterance.
package enum PauseKind: Sendable, Equatable {
    /// The sentence continues: it was cut for its length, for an early first sound, or because it is spoken otherwise from
    /// there on.
    case none
    /// A sentence, a list item or a line that ends with a colon ends here.
    case sentence
    /// An empty line or a page break follows.
    case paragraph
    /// A heading ends here.
    case heading
    /// A silence of exact length follows, as the next step: what the engine leaves of its own goes.
    case silence
}

/// A stretch of text of one style. A sentence may go on in the next one.
package struct ScriptText: Sendable, Equatable {
    /// Not empty. Line breaks count as in plain text: an empty line ends a paragraph.
    package var text: String
    /// The places of the text in the document.
    package var source: SourceMap
    package var style: ScriptStyle
    /// How the whole text is pronounced; nil = the engine knows.
    package var pronunciation: ScriptPronunciation?
    /// What the whole text is; nil = nobody says so.
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

/// How a part of a script is spoken, on top of what holds for all of it.
package struct ScriptStyle: Equatable, Sendable {
    /// nil = the voice that speaks the script.
    package var voice: ScriptVoice?
    /// BCP-47, as written; nil = that of the voice.
    package var language: String?
    /// Factors of what holds for the whole script: above 0, at least 0.1, at most 10.
    package var rate = 1.0
    package var pitch = 1.0
    /// How the pitch moves about that factor; nil = it does not.
    package var contour: PitchContour?
    /// A factor of how far the pitch moves about its mean by itself, from 0 to 2.
    package var intonation = 1.0
    /// Whether it is spoken without voice.
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

/// The voice that a script asks for. At least one is set.
package struct ScriptVoice: Hashable, Sendable {
    /// What people call it, as they would type it after `-v`.
    package var name: String?
    /// BCP-47, as written.
    package var language: String?
    /// "female", "male" or "neutral".
    package var gender: String?
    /// Whether another voice may speak if none is called so, as SSML has it.
    package var mayBeAnother = false

    package init(name: String? = nil, language: String? = nil, gender: String? = nil) {
        self.name = name
        self.language = language
        self.gender = gender
    }
}

/// What a stretch of text is said to be, for whoever puts it into words.
package struct ScriptReading: Sendable, Equatable {
    /// As the document names it: "date", "telephone".
    package var kind: String
    /// The order of its parts, as of a date: "dmy".
    package var format: String?

    package init(kind: String, format: String? = nil) {
        self.kind = kind
        self.format = format
    }
}

/// How a stretch of text is said.
package struct ScriptPronunciation: Sendable, Equatable {
    /// Phonemes in IPA, words separated by a space. Holds no `]]`.
    package var ipa: String
    /// Whether an engine that does not take phonemes may speak the text itself. Not so if the text is the notation, as of
    /// `[[ipa]]`.
    package var hasWords: Bool
    /// The line of a lexicon that says so; nil = the document itself does.
    package var lexicon: LexiconLine?

    package init(ipa: String, hasWords: Bool, lexicon: LexiconLine? = nil) {
        self.ipa = ipa
        self.hasWords = hasWords
        self.lexicon = lexicon
    }
}

/// Where an entry of a lexicon stands.
package struct LexiconLine: Sendable, Equatable {
    /// Its path; empty = no file.
    package let file: String
    /// From 1.
    package let line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }
}

/// A recorded sound that a script asks for.
package struct ScriptClip: Sendable, Equatable {
    /// As the document writes it: the name of a configured clip, or a path below the folder of the document. Never trusted.
    package var name: String
    /// In decibels; 0 = as it was recorded.
    package var gain: Double
    /// The channel that it sounds on, beside the speech; nil = in the speech, which goes on after it.
    package var channel: String?
    /// What is said if there is no such clip.
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

/// Gives the parts of a script one after the other, and holds no more of them than it needs to know the next one. Used by one
/// thread at a time; nothing blocks.
package protocol ScriptReader {
    /// The next part; nil after the last.
    mutating func next() throws(ScriptError) -> ScriptPart?
}

extension ScriptReader {
    /// All that are left.
    package mutating func rest() throws(ScriptError) -> [ScriptPart] {
        var parts: [ScriptPart] = []
        while let part = try next() { parts.append(part) }
        return parts
    }
}

/// Parts that are there.
package struct ScriptPartList: ScriptReader {
    /// In reverse, so that the next one is taken from the end.
    private var parts: [ScriptPart]

    package init(_ parts: [ScriptPart]) { self.parts = parts.reversed() }

    package mutating func next() -> ScriptPart? { parts.popLast() }
}

/// How the pitch moves while a stretch of a document is spoken.
package struct PitchContour: Equatable, Sendable {
    package struct Target: Equatable, Sendable {
        /// How much of the stretch is spoken before, from 0 to 1.
        package var share: Double
        /// A factor of the pitch that the stretch has otherwise, from 0.1 to 10.
        package var factor: Double

        package init(share: Double, factor: Double) {
            self.share = share
            self.factor = factor
        }
    }

    /// In ascending order; at least one. Before the first and after the last, the pitch is constant.
    package let targets: [Target]
    /// The stretch, in bytes of the document. Its bytes take the place of time.
    package let source: Range<Int>

    /// - Parameter targets: in any order; two of one share are a step.
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

    /// The byte of the document at which a target is.
    package func place(of target: Target) -> Int {
        source.lowerBound + Int((target.share * Double(source.count)).rounded())
    }
}
