package import SynthAudio
import SynthSpeech

extension SpeechQueue {
    /// A queue item.
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

        /// The identifier of a queue item.
        public struct ID: Hashable, Sendable, Comparable {
            let number: Int

            public static func < (one: ID, other: ID) -> Bool { one.number < other.number }
        }

        let content: Content

        /// Text to speak. Its voice is loaded while earlier items play. The voice name is resolved as in
        /// ``SpeechHost/voice(_:)``; nil selects the default voice.
        public static func speech(
            _ text: String, voice: String? = nil, _ options: SpeechOptions = SpeechOptions()
        ) -> Item {
            Item(content: .text(text, voice: voice, options))
        }

        /// Text that the given session speaks.
        public static func speech(
            _ text: String, by session: SpeechSession, _ options: SpeechOptions = SpeechOptions()
        ) -> Item {
            Item(content: .session(text, session, options))
        }

        /// A ``Speech`` that has not been read yet.
        public static func speech(_ speech: Speech) -> Item { Item(content: .speech(speech)) }

        /// A recorded sound, specified by the name of a clip in the configuration or by the path of a file in any
        /// format that libsndfile supports. Any sample rate is supported. The maximum duration is two hours.
        public static func clip(_ name: String, gain: SoundLevel = .unchanged) -> Item {
            Item(content: .clip(name, gain))
        }

        /// Silence of the given duration, rounded to the nearest frame.
        public static func pause(_ duration: Duration) -> Item { Item(content: .pause(duration)) }

        /// Once all earlier items have been played, listens until speech ends. Later items wait. The results are
        /// ``Event/Kind/heard(_:)`` events. The model is loaded while earlier items play. The item does nothing when
        /// the queue is written to a file.
        ///
        /// - Parameters:
        ///   - options: the time limits and the expected speech.
        ///   - interrupting: whether to listen while the previous item plays. The first recognized word ends that item.
        ///     The timeout starts when listening starts. The microphone must not pick up sound from the speakers, so
        ///     use headphones or a device with echo cancellation.
        ///   - recognizer: the recognizer, or nil to choose one as in ``SpeechHost/listen(_:)``.
        public static func listen(
            _ options: ListeningOptions = ListeningOptions(), interrupting: Bool = false,
            by recognizer: SpeechRecognizer? = nil
        ) -> Item {
            Item(content: .listen(options, recognizer, interrupts: interrupting))
        }

        /// Starts an item on another channel once all items before the cue have been played. This channel continues
        /// without waiting. If the other channel is busy, the item is queued there.
        public static func cue(_ item: Item, on channel: Channel) -> Item { Item(content: .cue(item, channel)) }

        /// Speech that is created on demand, on a thread that may block.
        package static func speech(making speech: @escaping @Sendable () throws(SpeechError) -> Speech) -> Item {
            Item(content: .made(speech))
        }

        /// A clip whose file has already been found.
        ///
        /// - Parameter name: the name to show in error messages.
        package static func clip(_ name: String, _ file: ClipFile, gain: SoundLevel = .unchanged) -> Item {
            Item(content: .file(name, file, gain))
        }
    }
}

extension SpeechQueue {
    /// An event of a queue item.
    public struct Event: Sendable {
        /// The kind of event.
        @nonexhaustive
        public enum Kind: Sendable {
            /// The item has started playing.
            case began
            /// A word, sentence, phoneme or mark. Its frame is relative to the start of the item, at the queue's sample rate, and its range
            /// refers to the item's text.
            case part(Speech.Part)
            /// An event of a listening item.
            case heard(SpeechListening.Event)
            /// The item's audio did not arrive in time. The channel stays silent until more audio is available.
            case late
            /// The item has ended.
            case ended(Ending)
        }

        /// The outcome of an item.
        @nonexhaustive
        public enum Ending: Sendable {
            /// The item was played completely.
            case complete
            /// The item was skipped, or its channel was cleared.
            case skipped
            /// The item failed before or during playback.
            case failed(SpeechError)
        }

        /// The item's identifier, as returned by `append`.
        public let item: Item.ID
        /// The item's channel.
        public let channel: Channel
        /// The output frame, relative to the start of the queue.
        public let frame: Int
        /// The kind of event.
        public let kind: Kind
    }
}

/// A change in loudness.
public struct SoundLevel: Hashable, Sendable {
    let decibels: Decibels

    /// No change.
    public static let unchanged = SoundLevel(decibels: Decibels(0))

    /// Silence.
    public static let silence = SoundLevel(decibels: Decibels(-.infinity))

    /// Creates a level in decibels: -6 halves the amplitude and 0 changes nothing. Values above 60 are treated as 60,
    /// and NaN as 0.
    public static func decibels(_ value: Double) -> SoundLevel {
        SoundLevel(decibels: Decibels(value.isNaN ? 0 : min(value, 60)))
    }

    /// Creates a level from an amplitude factor: 0.5 halves the amplitude, 1 changes nothing, and 0 or less is silence.
    public static func factor(_ value: Double) -> SoundLevel {
        decibels(value.isNaN ? 0 : Decibels(amplitude: value).value)
    }

    var factor: Float { Gain(decibels).factor }
}
