package import EngineWire

/// What an engine says of a file of a voice that it cannot use.
package struct VoiceFileFlaw: Equatable, Sendable {
    /// The id of the voice.
    package let voice: String
    /// Whether the user added the voice.
    package let isUsersOwn: Bool
    package let path: String
    /// Whether the file belongs to the voice alone, and not to its model.
    package let isOfVoice: Bool
    package let error: EngineError
}
