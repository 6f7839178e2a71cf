/// Another voice speaks, from somewhere in a text on, because the engine of the one that should could not.
public struct VoiceReplacement: Sendable {
    /// Who should have spoken; nil = it was not found, because its engine cannot be used at all.
    public let voice: SpeechVoice?
    /// Who speaks on.
    public let other: SpeechVoice
    package let failure: SpeechFailure

    package init(_ voice: SpeechVoice?, by other: SpeechVoice, because failure: SpeechFailure) {
        self.voice = voice
        self.other = other
        self.failure = failure
    }

    /// What happened.
    public var error: SpeechError { SpeechError(failure) }
}

/// What happened does not count.
extension VoiceReplacement: Hashable {
    public static func == (one: VoiceReplacement, two: VoiceReplacement) -> Bool {
        one.voice == two.voice && one.other == two.other
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(voice)
        hasher.combine(other)
    }
}
