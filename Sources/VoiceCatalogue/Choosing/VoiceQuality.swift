/// The qualities of voices, the lowest first, by their names in the registry.
enum VoiceQuality: String, CaseIterable, Comparable {
    case lowest = "x_low"
    case low
    case medium
    case high

    /// The order in which they are offered. The highest takes several times as long for a small difference.
    static let offered: [VoiceQuality] = [.medium, .high, .low, .lowest]

    static func < (left: VoiceQuality, right: VoiceQuality) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

extension Voice {
    /// nil = it has no quality, or an unknown one.
    var knownQuality: VoiceQuality? { quality.flatMap(VoiceQuality.init) }
}
