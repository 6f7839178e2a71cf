import SynthHost

/// A profile in JSON. What is not tuned is left out.
struct ProfileResult: Encodable {
    let rate: Double?
    let pitch: Double?
    let volume: Double?

    /// nil = the profile tunes nothing.
    init?(_ profile: VoiceProfile) {
        if profile.isEmpty { return nil }
        rate = profile.rate
        pitch = profile.pitch
        volume = profile.volume
    }
}
