import EngineWire
import SynthHost

/// A voice in `voices --json`.
struct VoiceResult: Encodable {
    let engine: String
    let id: String
    let name: String
    let accent: String?
    let language: String
    let gender: String?
    let licence: String?
    let speakers: [String]
    let chosen: Bool

    init(_ voice: Voice, isChosen: Bool) {
        engine = voice.engine
        id = voice.description.id
        name = voice.description.name
        accent = voice.description.accent
        language = voice.description.language
        gender = voice.description.gender.word
        licence = voice.description.licence
        speakers = voice.description.speakers
        chosen = isChosen
    }
}

extension VoiceDescription.Gender {
    /// nil = it is not said.
    var word: String? {
        switch self {
        case .unsaid: nil
        case .female: "female"
        case .male: "male"
        case .neutral: "neutral"
        }
    }
}
