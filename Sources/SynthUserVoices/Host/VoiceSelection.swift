package import SynthSpeech

/// A list of voices.
package enum VoiceSelection: Sendable {
    /// All known voices, ready ones first.
    case all
    /// The ready voices without hidden ones. Built-in voices come last.
    case ready
    /// The recommended voices of all languages, installed or not, without hidden ones.
    case recommended
    /// All known voices in the order of a long list, with the size of their files on disk.
    case library
    /// A built-in voice of the default engine for a language. The list is empty if none exists.
    case builtIn(language: String)
}

/// A change of a voice in the user's configuration. For a blend, it applies to the voice with the greatest weight.
package enum VoiceChange: Sendable {
    case profile(VoiceProfile)
    /// Adds the voice to a list or removes it.
    case list(VoiceList, Bool)
    /// Makes the voice the default.
    case chosen
}
