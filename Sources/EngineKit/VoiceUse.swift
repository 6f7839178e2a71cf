import CSynthEngine

/// A voice of a request, and its share.
public struct VoiceUse: Sendable {
    public let id: String
    /// `nil` = the voice's first.
    public let speaker: String?
    /// > 0; the weights of a request sum to 1.
    public let weight: Float
    /// The files of scope `.voice`.
    public let files: FileSet

    init(_ use: synth_voice_use) {
        id = use.id.map { String(cString: $0) } ?? ""
        speaker = use.speaker.map { String(cString: $0) }
        weight = use.weight
        files = FileSet(use.files, count: use.file_count)
    }
}
