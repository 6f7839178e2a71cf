package import SynthAudio
import SynthSpeech

extension SpeechQueue {
    /// Something to be heard.
    public struct Item: Sendable {
        indirect enum Content: Sendable {
            case text(String, voice: String?, SpeechOptions)
            case session(String, SpeechSession, SpeechOptions)
            case speech(Speech)
            case made(@Sendable () throws(SpeechError) -> Speech)
            case clip(String, SoundLevel)
            case file(String, ClipFile, SoundLevel)
            case pause(Duration)
            case cue(Item, Channel)
            case listen(ListeningOptions, SpeechRecognizer?, interrupts: Bool)
        }

        /// The name of an item in a queue, by which events speak of it.
        public struct ID: Hashable, Sendable, Comparable {
            let number: Int

            public static func < (one: ID, other: ID) -> Bool { one.number < other.number }
        }

        let content: Content

        /// A text. Its voice is loaded while what is before it sounds; it is named as ``SpeechHost/voice(_:)`` takes it, and
        /// nil is the one that the user chose.
        public static func speech(
            _ text: String, voice: String? = nil, _ options: SpeechOptions = SpeechOptions()
        ) -> Item {
            Item(content: .text(text, voice: voice, options))
        }

        /// A text, spoken by a session.
        public static func speech(
            _ text: String, by session: SpeechSession, _ options: SpeechOptions = SpeechOptions()
        ) -> Item {
            Item(content: .session(text, session, options))
        }

        /// A speech that nobody has read yet.
        public static func speech(_ speech: Speech) -> Item { Item(content: .speech(speech)) }

        /// A recorded sound: the name of a clip in the configuration, or the path of a file in any format that libsndfile
        /// reads, with any rate, up to two hours long.
        public static func clip(_ name: String, gain: SoundLevel = .unchanged) -> Item {
            Item(content: .clip(name, gain))
        }

        /// Silence of exactly this length, to the nearest frame.
        public static func pause(_ duration: Duration) -> Item { Item(content: .pause(duration)) }

        /// Listens, once what is before it has sounded, until nobody speaks any more; what is after it waits. What is heard comes as
        /// events, ``Event/Kind/heard(_:)``. Its model is loaded while what is before it sounds. Nothing is heard while a queue
        /// is written to a file.
        ///
        /// - Parameters:
        ///   - options: when it ends, and what is expected.
        ///   - interrupting: whether it listens already while the item before it sounds, which ends at the first word. Its
        ///     timeout counts from there. The microphone must not hear the loudspeaker: with headphones, or a device that
        ///     cancels echoes.
        ///   - recognizer: who listens; nil = one of the queue's own, as ``SpeechHost/listen(_:)`` takes it.
        public static func listen(
            _ options: ListeningOptions = ListeningOptions(), interrupting: Bool = false,
            by recognizer: SpeechRecognizer? = nil
        ) -> Item {
            Item(content: .listen(options, recognizer, interrupts: interrupting))
        }

        /// Lets an item begin on another channel as soon as what is before this one has sounded, and goes on at once. If
        /// something sounds on that channel, the item stands in line there.
        public static func cue(_ item: Item, on channel: Channel) -> Item { Item(content: .cue(item, channel)) }

        /// A speech that is made when it is needed, on a thread that may block.
        package static func speech(making speech: @escaping @Sendable () throws(SpeechError) -> Speech) -> Item {
            Item(content: .made(speech))
        }

        /// A clip whose file is known.
        ///
        /// - Parameter name: what errors call it.
        package static func clip(_ name: String, _ file: ClipFile, gain: SoundLevel = .unchanged) -> Item {
            Item(content: .file(name, file, gain))
        }
    }
}

extension SpeechQueue {
    /// Something that happens to an item of a queue.
    public struct Event: Sendable {
        /// What happens.
        @nonexhaustive
        public enum Kind: Sendable {
            /// Its first sound.
            case began
            /// A word, a sentence or a phoneme of a speech begins to sound. Its frame counts from the beginning of the item,
            /// at the rate of the queue, its range is that of the item's own text.
            case part(Speech.Part)
            /// What an item that listens hears, as it happens.
            case heard(SpeechListening.Event)
            /// Its sound did not come in time, so its channel is silent until there is more.
            case late
            /// Its sound is over.
            case ended(Ending)
        }

        /// How an item ended.
        @nonexhaustive
        public enum Ending: Sendable {
            /// All of it sounded.
            case complete
            /// It was skipped, or its channel was cleared.
            case skipped
            /// It could not be made, or only the beginning of it.
            case failed(SpeechError)
        }

        /// The item, as `append` named it.
        public let item: Item.ID
        /// The channel that it sounds on.
        public let channel: Channel
        /// The frame of the queue's sound, counted from the beginning.
        public let frame: Int
        /// What happens.
        public let kind: Kind
    }
}

/// How loud something is, compared with what it was.
public struct SoundLevel: Hashable, Sendable {
    let decibels: Decibels

    /// As it is.
    public static let unchanged = SoundLevel(decibels: Decibels(0))

    /// Silence.
    public static let silence = SoundLevel(decibels: Decibels(-.infinity))

    /// In decibels: -6 halves the amplitude, 0 changes nothing. More than 60 means 60, and what is no number means 0.
    public static func decibels(_ value: Double) -> SoundLevel {
        SoundLevel(decibels: Decibels(value.isNaN ? 0 : min(value, 60)))
    }

    /// As a factor of the amplitude: 0.5 halves it, 1 changes nothing, 0 and less are silence.
    public static func factor(_ value: Double) -> SoundLevel {
        decibels(value.isNaN ? 0 : Decibels(amplitude: value).value)
    }

    var factor: Float { Gain(decibels).factor }
}
