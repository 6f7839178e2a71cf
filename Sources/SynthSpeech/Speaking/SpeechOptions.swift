package import SynthAudio
package import SynthCatalogue
package import SynthEngineWire
import SynthScript

/// Options for speaking text. If a property is nil, the user's configuration applies.
public struct SpeechOptions: Hashable, Sendable {
    /// The kinds of events to report with the audio.
    public struct Events: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Sentences, or separately synthesized parts of long sentences. Every engine supports them.
        public static let sentences = Events(rawValue: 1)
        /// Words, if the engine reports word timings.
        public static let words = Events(rawValue: 2)
        /// Phonemes, if the engine reports phoneme timings.
        public static let phonemes = Events(rawValue: 4)
    }

    /// The speed as a multiple of the voice's normal speed, from 0.25 to 4. Like the pitch and the volume, it overrides
    /// the voice's profile and the configuration.
    public var rate: Double?
    /// The pitch as a multiple of the voice's normal pitch, from 0.25 to 4.
    public var pitch: Double?
    /// The volume as a factor by which the amplitude is multiplied, from 0 to 8. The output never clips.
    public var volume: Double?
    /// Whether nil properties use the voice's profile. If false, they use only the configuration for all voices.
    public var usesProfile: Bool
    /// The language of the text (BCP 47), or nil for the voice's language.
    public var language: String?
    /// The amount of random variation in the audio for the same text, from 0 to 2. Only some engines support it.
    public var variation: Double
    /// How much the pitch rises and falls, from 0 (monotone) to 2. Only some engines support it (`SpeechEngine.shapesPitch`).
    public var intonation: Double
    /// Whether the text is whispered, if the engine supports it. nil uses the user's configuration.
    public var isWhispered: Bool?
    /// Whether `[[ … ]]` in the text contains a pronunciation in IPA. Do not enable this for untrusted text.
    public var readsPhonemes: Bool
    /// A lexicon of custom pronunciations. If nil, the user's `lexicon.txt` next to the configuration file is used.
    public var lexicon: SpeechLexicon?
    /// Whether to pass the text to the engine as written: numbers, dates, units and abbreviations are not expanded to words,
    /// and leftover markup is not removed. The lexicon still applies.
    public var isVerbatim: Bool
    /// Whether the voice also speaks words in other languages, even if it can only spell them out. If false, an
    /// installed voice for the other language speaks them.
    public var keepsVoice: Bool?
    /// The pauses after sentences, paragraphs and headings.
    public var pauses: SpeechPauses?
    /// The kinds of events to report with the audio.
    public var events: Events
    /// The maximum amount of audio to synthesize ahead of the reader.
    public var lookAhead: Duration

    /// Creates options. Omitted parameters use the user's configuration.
    public init(
        rate: Double? = nil, pitch: Double? = nil, volume: Double? = nil, usesProfile: Bool = true,
        language: String? = nil, variation: Double = 1, intonation: Double = 1, isWhispered: Bool? = nil,
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
        self.intonation = intonation
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

/// Settings for speaking text, with all defaults resolved.
package struct SpeechSettings: Equatable, Sendable {
    /// The speed factor, relative to the voice's normal speed.
    package var rate: Double
    /// The pitch factor, relative to the voice's normal pitch.
    package var pitch: Double
    package var volume: Gain
    /// The amount of random variation in the audio, from 0 to 2.
    package var variation = 1.0
    /// Whether the text is whispered, if the engine supports it.
    package var isWhispered = false
    /// The factor, from 0 to 2, by which the pitch range around the mean is multiplied if the engine supports it.
    package var intonation = 1.0
    /// The language (BCP 47), or nil for the voice's language.
    package var language: String?
    /// Whether `[[ … ]]` in the text contains IPA. Must be false for untrusted text.
    package var readsTokens = false
    package var pauses: SpeechPauses
    /// Whether the engine itself normalizes numbers, dates and abbreviations.
    package var isVerbatim = false
    /// Whether the voice also speaks words in other languages, even if it can only spell them out.
    package var keepsVoice = false
    /// A lexicon of custom pronunciations, or nil for none.
    package var lexicon: SpeechLexicon?
    /// The priority when several requests share a session. Requests with a higher priority can speak between this
    /// request's utterances. If nil, the lane is not shared.
    package var priority: SpeechPriority?
    /// Whether another voice for the same language takes over if the engine fails. If true, the text is spoken on a
    /// single lane.
    package var fallsBack = false
    /// The IDs of engines to avoid if another voice for the same language is available. Requires `fallsBack`.
    package var avoids: Set<String> = []
    /// The event kinds to report with the audio.
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
    /// Requests additional events.
    package mutating func want(_ events: SpeechOptions.Events) {
        wants.formUnion(EventKinds(rawValue: events.rawValue))
    }
}

/// Provides defaults for values that a caller does not specify.
package protocol SpeechPresets: Sendable {
    /// The audio device for playback, or nil for the default device.
    var device: String? { get }

    /// Returns the settings of a voice or a blend for these options.
    func settings(_ options: SpeechOptions, for choice: VoiceChoice) -> SpeechSettings
}

/// Pauses after sentences, paragraphs and headings, at a rate of 1. These are minimum durations that include the
/// engine's own silence, so that pauses do not depend on the engine. At a higher rate, pauses are shortened by the same
/// factor as the words. Pauses requested by a script keep their length. Values are clamped to the range from 0 to 30
/// seconds.
public struct SpeechPauses: Hashable, Sendable {
    /// The pause after a sentence, a list item or a table row.
    public var sentence: Duration = .milliseconds(250)
    /// The pause after a paragraph.
    public var paragraph: Duration = .milliseconds(600)
    /// The pause after a heading in Markdown or in a document.
    public var heading: Duration = .milliseconds(800)
    /// The pause before a chapter in a book that consists of a single file.
    public var chapter: Duration = .milliseconds(1500)

    /// Creates the default pauses.
    public init() {}

    private static let longest = Duration.seconds(30)

    /// Returns the pauses for a speech rate. Doubling the rate halves the pauses.
    package func atRate(_ rate: Double) -> SpeechPauses {
        times(1 / rate)
    }

    /// Returns the pauses multiplied by a factor.
    package func times(_ factor: Double) -> SpeechPauses {
        var pauses = self
        for keyPath in [\SpeechPauses.sentence, \.paragraph, \.heading, \.chapter] {
            pauses[keyPath: keyPath] = min(max(self[keyPath: keyPath], .zero), Self.longest) * factor
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
