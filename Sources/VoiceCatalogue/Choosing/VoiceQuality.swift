/// The scale of voices that come in several qualities, the poorest first, by the registry's names.
enum VoiceQuality: String, CaseIterable, Comparable {
    case lowest = "x_low"
    case low
    case medium
    case high

    /// The order in which they are offered. The highest takes several times as long for a difference that few hear.
    static let offered: [VoiceQuality] = [.medium, .high, .low, .lowest]

    static func < (left: VoiceQuality, right: VoiceQuality) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

extension Voice {
    /// nil = it comes in one, or in one that is not on the scale.
    var knownQuality: VoiceQuality? { quality.flatMap(VoiceQuality.init) }
}
