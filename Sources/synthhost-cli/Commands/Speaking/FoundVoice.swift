import VoiceCatalogue

/// The voice that speaks, with all its files.
struct FoundVoice {
    let choice: VoiceChoice
    /// What was downloaded for it now; how loud that is was not measured yet.
    var downloaded: [Voice] = []
}
