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
    /// How loud it is by itself, in LUFS; nil = not measured.
    let loudness: Double?
    /// In decibels, what brings it to the loudness of other voices; nil = it cannot speak now.
    let gain: Double?
    /// How the user tuned it; nil = not at all.
    let profile: ProfileResult?

    init(_ voice: Voice, _ library: VoiceLibrary, isChosen: Bool) {
        let (condition, marks) = (library.condition(of: voice), library.marks)
        loudness = condition == .ready ? library.inventory.loudness(of: voice)?.lufs : nil
        gain = condition.canSpeak ? library.inventory.gain(of: voice) : nil
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
