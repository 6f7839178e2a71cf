package import VoiceCatalogue

/// A model that is here, with all its voices.
package struct InstalledModel: Sendable {
    package let engine: String
    /// At least one.
    package var voices: [Voice]
    /// What its engine said about it while it was loaded, or why it cannot be loaded.
    package let loading: Result<[String], SpeechFailure>
}
