package import VoiceCatalogue

/// What the user says of voices, ready to be asked about many of them.
package struct VoiceMarks: Sendable {
    private let profiles: VoiceTable<VoiceProfile>
    /// The voices to show first.
    package let favourites: VoiceNames
    /// The voices to leave out of lists.
    package let hidden: VoiceNames

    package init(_ configuration: Configuration) {
        profiles = VoiceTable(configuration.profiles)
        favourites = VoiceNames(configuration.favourites)
        hidden = VoiceNames(configuration.hidden)
    }

    /// How a voice is tuned. If several names in the file mean it, the strictest that has a factor gives it.
    package func profile(of voice: Voice) -> VoiceProfile {
        profiles.values(of: voice).reduce(VoiceProfile()) { $0.filled(from: $1) }
    }

    /// Puts favourites first.
    package func favouritesFirst(_ voices: [Voice]) -> [Voice] {
        voices.filter(favourites.contains) + voices.filter { !favourites.contains($0) }
    }
}
