package import SynthAudio
package import SynthCatalogue
package import SynthEngineWire
import SynthScript

/// Options for a speech. A property that is nil uses the user's configuration for the voice and for all voices.
public struct SpeechOptions: Hashable, Sendable {
    /// The events that accompany the audio: words, sentences and phonemes.
    public struct Events: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Sentences, or the separately synthesized pieces of a long sentence. Every engine supports them.
        public static let sentences = Events(rawValue: 1)
        /// Words, if the engine reports word timings.
        public static let words = Events(rawValue: 2)
        /// Phonemes, if the engine reports phoneme timings.
        public static let phonemes = Events(rawValue: 4)
    }

    /// A factor on the voice's normal speed, from 0.25 to 4. It replaces the factors of the voice's profile and of the
    /// configuration for all voices. The same applies to the pitch and the volume.
    public var rate: Double?
    /// A factor on the voice's normal pitch, from 0.25 to 4.
    public var pitch: Double?
    /// A factor on the amplitude, from 0 to 8. The output never clips.
    public var volume: Double?
    /// Whether the voice's profile applies to properties that are nil. Otherwise only the configuration for all voices
    /// applies.
    public var usesProfile: Bool
    /// The language of the text (BCP-47), or nil for the voice's own.
    public var language: String?
    /// The amount of random variation between two readings of a text, from 0 to 2. Only some engines support it.
    public var variation: Double
    /// Whether the text is whispered, if the engine supports it. nil uses the user's configuration.
    public var isWhispered: Bool?
    /// Whether `[[ … ]]` in the text contains a pronunciation in IPA. Do not enable it for text of unknown origin.
    public var readsPhonemes: Bool
    /// The words with a special pronunciation. nil uses the user's `lexicon.txt` next to the configuration.
    public var lexicon: SpeechLexicon?
    /// Whether the engine gets the text as written. Numbers, dates, units and abbreviations are then not expanded to
    /// words, and leftover markup is not removed. The lexicon still applies.
    public var isVerbatim: Bool
    /// Whether the voice also speaks words in another language, even if it can only spell them. Otherwise an installed
    /// voice of that language speaks them.
    public var keepsVoice: Bool?
    /// The pauses after sentences, paragraphs and headings.
    public var pauses: SpeechPauses?
    /// The events that accompany the audio.
    public var events: Events
    /// The maximum amount of audio that is synthesized ahead of the reader.
    public var lookAhead: Duration

    /// Creates options. Every parameter that you omit uses the user's configuration.
    public init(
        rate: Double? = nil, pitch: Double? = nil, volume: Double? = nil, usesProfile: Bool = true,
        language: String? = nil, variation: Double = 1, isWhispered: Bool? = nil,
        readsPhonemes: Bool = false, lexicon: SpeechLexicon? = nil, isVerbatim: Bool = false,
        keepsVoice: Bool? = nil, pauses: SpeechPauses? = nil,
        events: Events = [.sentences, .words],
        lookAhead: Duration = .seconds(10)
    ) {
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
        self.usesProfile = usesProfile
        self.language = language
        self.variation = variation
        self.isWhispered = isWhispered
        self.readsPhonemes = readsPhonemes
        self.lexicon = lexicon
        self.isVerbatim = isVerbatim
        self.keepsVoice = keepsVoice
        self.pauses = pauses
        self.events = events
        self.lookAhead = lookAhead
    }
}

/// Settings for a speech, with all defaults resolved.
package struct SpeechSettings: Equatable, Sendable {
    /// Factors on the voice's normal speed and fundamental frequency.
    package var rate: Double
    package var pitch: Double
    package var volume: Gain
    /// A factor on the random variation between two readings, from 0 to 2.
    package var variation = 1.0
    /// Whether the text is whispered, if the engine supports it.
    package var isWhispered = false
    /// A factor on the pitch range around the mean, from 0 to 2, if the engine supports it.
    package var intonation = 1.0
    /// The language as a BCP-47 tag, or nil for the voice's own language.
    package var language: String?
    /// Whether `[[ … ]]` in the text contains IPA. Never enabled for text of unknown origin.
    package var readsTokens = false
    package var pauses: SpeechPauses
    /// Whether the engine normalizes numbers, dates and the like itself.
    package var isVerbatim = false
    /// Whether the voice also speaks words in another language, even if it can only spell them.
    package var keepsVoice = false
    /// The words with a special pronunciation, or nil for none.
    package var lexicon: SpeechLexicon?
    /// Set if several speeches share a session. Others may speak between this one's utterances, the highest priority
    /// first.
    package var priority: SpeechPriority?
    /// Whether another voice of the language takes over if the engine fails. Such a speech uses one lane.
    package var fallsBack = false
    /// The IDs of engines to avoid if another voice of the language is available. It requires `fallsBack`.
    package var avoids: Set<String> = []
    /// The events that accompany the audio.
    package var wants: EventKinds = []

    package init(
        rate: Double = 1, pitch: Double = 1, volume: Gain = Gain(factor: 1), language: String? = nil,
        pauses: SpeechPauses = SpeechPauses()
    ) {
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
        self.language = language
        self.pauses = pauses
    }
}

extension SpeechSettings {
    /// Requests events in addition to the audio.
    package mutating func want(_ events: SpeechOptions.Events) {
        wants.formUnion(EventKinds(rawValue: events.rawValue))
    }
}

/// The defaults for values that a caller does not specify.
package protocol SpeechPresets: Sendable {
    /// The audio device for playback, or nil for the default device.
    var device: String? { get }

    /// Returns the settings of a voice or a blend for these options.
    func settings(_ options: SpeechOptions, for choice: VoiceChoice) -> SpeechSettings
}

/// Pauses after sentences, paragraphs and headings at a rate of 1. They are minimum durations: silence that the engine
/// produces counts towards them, so that pauses do not depend on the engine. A higher rate shortens them by the same
/// factor as the words. Pauses that a script requests keep their length. Each value is clamped to the range from 0 to 30
/// seconds.
public struct SpeechPauses: Hashable, Sendable {
    /// The pause after a sentence, a list item or a table row.
    public var sentence: Duration = .milliseconds(250)
    /// The pause after a paragraph.
    public var paragraph: Duration = .milliseconds(600)
    /// The pause after a heading in Markdown or in a document.
    public var heading: Duration = .milliseconds(800)
    /// The pause before a chapter of a book that is a single file.
    public var chapter: Duration = .milliseconds(1500)

    /// Creates the default pauses.
    public init() {}

    private static let longest = Duration.seconds(30)

    /// Returns the pauses for a speech rate. Text at double speed takes half the time, including pauses.
    package func atRate(_ rate: Double) -> SpeechPauses {
        times(1 / rate)
    }

    /// Returns the pauses multiplied by a factor.
    package func times(_ factor: Double) -> SpeechPauses {
        var pauses = self
        for place in [\SpeechPauses.sentence, \.paragraph, \.heading, \.chapter] {
            pauses[keyPath: place] = min(max(self[keyPath: place], .zero), Self.longest) * factor
        }
        return pauses
    }

    func after(_ kind: PauseKind) -> Duration {
        switch kind {
        case .none, .silence: .zero
        case .sentence: sentence
        case .paragraph: paragraph
        case .heading: heading
        }
    }
}
