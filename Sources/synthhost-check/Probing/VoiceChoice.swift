import EngineWire

/// The voice that speaks in a check, with its files.
struct VoiceChoice {
    var id: String
    var model: String
    var modelFiles: [HandedFile]
    var voiceFiles: [HandedFile]
}
