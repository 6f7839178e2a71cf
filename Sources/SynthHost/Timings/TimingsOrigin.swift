/// What speaks the text whose times are written.
struct TimingsOrigin: Equatable, Sendable {
    /// As the configuration calls it: "espeak-ng".
    var engine: String
    /// As people call it, with its version: "eSpeak NG 1.51".
    var engineTitle: String
    /// The id of the voice.
    var voice: String
    /// Whether the engine can tell when words sound.
    var timesWords: Bool
}

extension TimingsOrigin {
    init(_ engine: SpeechEngine, _ voice: SpeechVoice) {
        self.init(
            engine: engine.id, engineTitle: "\(engine.name) \(engine.version)", voice: voice.id,
            timesWords: engine.timesWords)
    }
}
