package import SynthAudio

extension SpeechQueue {
    /// Something to be heard.
    public struct Item: Sendable {
        indirect enum Content: Sendable {
            case text(String, voice: String?, SpeechOptions)
            case session(String, SpeechSession, SpeechOptions)
            case speech(Speech)
            case made(@Sendable () throws(SpeechFailure) -> Speech)
            case clip(String, SoundLevel)
            case file(String, ClipFile, SoundLevel)
            case pause(Duration)
            case cue(Item, Channel)
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

        /// Lets an item begin on another channel as soon as what is before this one has sounded, and goes on at once. If
        /// something sounds on that channel, the item stands in line there.
        public static func cue(_ item: Item, on channel: Channel) -> Item { Item(content: .cue(item, channel)) }

        /// A speech that is made when it is needed, on a thread that may block.
        package static func speech(making speech: @escaping @Sendable () throws(SpeechFailure) -> Speech) -> Item {
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
