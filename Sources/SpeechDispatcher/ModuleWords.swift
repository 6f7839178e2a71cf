package import SynthHost

/// What people are told, in words of the program that speaks.
package struct ModuleWords: Sendable {
    /// Something that the module did otherwise than it was asked, and why.
    package enum Note: Sendable {
        /// Nothing of the message, or not all of it, was spoken.
        case failed(SpeechFailure)
        case replaced(SpeechNotice)
        /// The voice could not be loaded.
        case notLoaded(SpeechFailure)
    }

    package let loaded: String
    /// Why a way to play sound cannot be used.
    package let wrongAudio: @Sendable (_ method: String) -> String
    /// For the log of whoever runs the program. Any thread.
    package let note: @Sendable (Note) -> Void

    package init(
        loaded: String, wrongAudio: @escaping @Sendable (_ method: String) -> String,
        note: @escaping @Sendable (Note) -> Void
    ) {
        self.loaded = loaded
        self.wrongAudio = wrongAudio
        self.note = note
    }
}
