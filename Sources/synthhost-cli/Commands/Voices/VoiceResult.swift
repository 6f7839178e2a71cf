import ModelStore
import SynthHost
import VoiceCatalogue

/// A voice in `voices --json`.
struct VoiceResult: Encodable {
    let engine: String
    let id: String
    let name: String
    let accent: String?
    let language: String
    let gender: String?
    let quality: String?
    let grade: String?
    let licence: String?
    let speakers: [String]
    /// "builtIn", "ready", "notDownloaded", "damaged" or "unsupported".
    let state: String
    let chosen: Bool
    let favourite: Bool
    let hidden: Bool
    /// How the user tuned it; nil = not at all.
    let profile: ProfileResult?

    init(_ voice: Voice, _ condition: VoiceCondition, _ marks: VoiceMarks, isChosen: Bool) {
        favourite = marks.favourites.contains(voice)
        hidden = marks.hidden.contains(voice)
        profile = ProfileResult(marks.profile(of: voice))
        switch condition {
        case .builtIn: state = "builtIn"
        case .ready: state = "ready"
        case .unsupported: state = "unsupported"
        case .damaged: state = "damaged"
        case .notDownloaded, .engineMissing: state = "notDownloaded"
        }
        engine = voice.engine
        id = voice.id
        name = voice.name
        accent = voice.accent
        language = voice.language
        gender = voice.gender?.rawValue
        quality = voice.quality
        grade = voice.grade
        licence = voice.licence
        speakers = voice.speakers
        chosen = isChosen
    }
}
