package import VoiceCatalogue

/// A voice that is known here, whether it could speak now or not.
public struct SpeechVoice: Hashable, Sendable, Identifiable {
    /// Whether a voice can speak.
    @nonexhaustive
    public enum State: Hashable, Sendable {
        /// It could speak now.
        case ready
        /// This many bytes must be downloaded first.
        case notDownloaded(bytes: Int64)
        /// Its engine cannot speak it, or is not here.
        case unusable(SpeechError.VoiceProblem)
    }

    /// How its engine calls it; unique for the engine.
    public let id: String
    /// The id of its engine.
    public let engine: String
    /// What people call it: "Heart".
    public let name: String
    /// Name and accent, or the names of a blend: "Heart (American)".
    public let title: String
    /// BCP-47.
    public let language: String
    /// "American"; nil if the language says it all.
    public let accent: String?
    /// "female", "male" or "neutral".
    public let gender: String?
    /// "x_low" to "high", or a grade from "A" to "F"; nil = not known.
    public let quality: String?
    /// SPDX, or the name that its makers gave it.
    public let licence: String?
    /// The names of its speakers; empty = one speaker without a name.
    public let speakers: [String]
    /// Bytes of all its files, its model's included.
    public let size: Int64
    /// Whether it could speak, when it was asked for.
    public let state: State
    /// How the user tuned it, when it was asked for. Of a blend: its heaviest voice, the first of equal ones; so are
    /// the marks.
    public let profile: VoiceProfile
    /// Whether the user wants to see it first.
    public let isFavourite: Bool
    /// Whether lists should leave it out. It speaks all the same.
    public let isHidden: Bool
    package let choice: VoiceChoice

    /// Whether it is made of several voices.
    package var isBlend: Bool { choice.isBlend }

    /// - Parameter marks: what the user says of voices.
    package init(_ choice: VoiceChoice, state: State, _ marks: VoiceMarks = VoiceMarks(Configuration())) {
        let heaviest = choice.heaviest.voice
        profile = marks.profile(of: heaviest)
        isFavourite = marks.favourites.contains(heaviest)
        isHidden = marks.hidden.contains(heaviest)
        let voice = choice.voice
        id = voice.id
        engine = voice.engine
        name = voice.name
        title = choice.title
        language = voice.language
        accent = voice.accent
        gender = voice.gender?.rawValue
        quality = voice.quality ?? voice.grade
        licence = voice.licence
        speakers = voice.speakers
        size = voice.downloadSize
        self.state = state
        self.choice = choice
    }
}
