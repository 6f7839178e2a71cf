package import SynthAudio
package import SynthCatalogue
package import SynthEngineWire
import SynthScript

/// How a text is spoken. What is nil is as the user configured it, for the voice and for all voices.
public struct SpeechOptions: Hashable, Sendable {
    /// The events that come with the sound: words, sentences, phonemes.
    public struct Events: OptionSet, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Sentences, or what of a long one is spoken in one go. Every engine's.
        public static let sentences = Events(rawValue: 1)
        /// Words, by engines that know when they sound.
        public static let words = Events(rawValue: 2)
        /// Phonemes, by engines that know when they sound.
        public static let phonemes = Events(rawValue: 4)
    }

    /// A factor of the voice's own speed, from 0.25 to 4. It takes the place of the voice's profile and of what is configured
    /// for all voices, and so do the pitch and the volume.
    public var rate: Double?
    /// A factor of the voice's own frequency, from 0.25 to 4.
    public var pitch: Double?
    /// A factor of the amplitude, from 0 to 8. Nothing clips.
    public var volume: Double?
    /// Whether the voice's profile counts for what is nil. Otherwise only what the user configured for all voices does.
    public var usesProfile: Bool
    /// The language of the text (BCP-47); nil = the voice's own.
    public var language: String?
    /// How much two readings of a text differ, from 0 to 2, by engines that read in more than one way.
    public var variation: Double
    /// Whether it is spoken without voice, by engines that whisper; nil = as the user configured it.
    public var isWhispered: Bool?
    /// Whether `[[ … ]]` in the text holds a pronunciation in IPA. Never for text of unknown origin.
    public var readsPhonemes: Bool
    /// Words that are said otherwise than they are written; nil = those of the user, in `lexicon.txt` beside the
    /// configuration.
    public var lexicon: SpeechLexicon?
    /// Whether the engine gets the text as it is written: numbers, dates, units, abbreviations and stray markup are not put
    /// into words before. The lexicon counts all the same.
    public var isVerbatim: Bool
    /// Whether words of another language stay with the voice, also where it can only spell their letters. Otherwise another
    /// voice that is here speaks them.
    public var keepsVoice: Bool?
    /// The silence after sentences, paragraphs and headings.
    public var pauses: SpeechPauses?
    /// Which events come with the sound.
    public var events: Events
    /// How much sound is made before it is read.
    public var lookAhead: Duration

    /// Options that leave everything but what is named as the user configured it.
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

/// How a text is spoken.
package struct SpeechSettings: Equatable, Sendable {
    /// Factors of the voice's own speed and fundamental frequency.
    package var rate: Double
    package var pitch: Double
    package var volume: Gain
    /// Factor on how much two readings of a text differ, from 0 to 2.
    package var variation = 1.0
    /// Whether it is spoken without voice, by engines that whisper.
    package var isWhispered = false
    /// Factor on how far the pitch moves about its mean, from 0 to 2, by engines that shape it.
    package var intonation = 1.0
    /// BCP-47; nil = the voice's own.
    package var language: String?
    /// `[[ … ]]` in the text holds IPA. Never for text of unknown origin.
    package var readsTokens = false
    package var pauses: SpeechPauses
    /// Whether numbers, dates and the like are left to the engine.
    package var isVerbatim = false
    /// Whether words of another language stay with the voice, also where it can only spell them.
    package var keepsVoice = false
    /// Words that are said otherwise than they are written; nil = none.
    package var lexicon: SpeechLexicon?
    /// Set for one of many speeches that share a session: others may speak between its utterances, the most urgent first.
    package var priority: SpeechPriority?
    /// Whether another voice of the language speaks the rest if the engine fails. Such a speech has one lane.
    package var fallsBack = false
    /// The ids of engines that another voice of the language speaks for, if there is one. Needs `fallsBack`.
    package var avoids: Set<String> = []
    /// The events that are to come with the sound.
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
    /// Asks for events beside the sound.
    package mutating func want(_ events: SpeechOptions.Events) {
        wants.formUnion(EventKinds(rawValue: events.rawValue))
    }
}

/// What holds where a caller asks for nothing itself.
package protocol SpeechPresets: Sendable {
    /// Where speech sounds; nil = the default device.
    var device: String? { get }

    /// How a voice or a blend is spoken with these options.
    func settings(_ options: SpeechOptions, for choice: VoiceChoice) -> SpeechSettings
}

/// The silence after sentences, paragraphs and headings at a rate of 1. It is a minimum: the silence that the engine makes itself is
/// part of it, so that every engine pauses alike. A higher rate makes it shorter by the same factor as the words; a pause that a script
/// asks for keeps its length. Each is from 0 to 30 seconds; other values mean the nearest of these.
public struct SpeechPauses: Hashable, Sendable {
    /// After a sentence, an item of a list, a row of a table.
    public var sentence: Duration = .milliseconds(250)
    /// After a paragraph.
    public var paragraph: Duration = .milliseconds(600)
    /// After a heading of Markdown or of a document.
    public var heading: Duration = .milliseconds(800)
    /// Before a chapter of a book that is one sound.
    public var chapter: Duration = .milliseconds(1500)

    /// The usual pauses.
    public init() {}

    private static let longest = Duration.seconds(30)

    /// The same for speech of a rate: a text that is spoken twice as fast takes half of the time, pauses included.
    package func atRate(_ rate: Double) -> SpeechPauses {
        times(1 / rate)
    }

    /// Each so many times as long.
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
