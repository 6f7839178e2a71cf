/// The rank of a voice among the suitable ones, if none is named: the lowest is taken.
struct VoiceRank: Comparable {
    private let places: [Int]

    init(_ voice: Voice) {
        places = [
            voice.isRecommended ? 0 : 1, voice.starter ?? .max, Self.goodness(voice), voice.speakers.count > 1 ? 1 : 0,
        ]
    }

    static func < (left: VoiceRank, right: VoiceRank) -> Bool {
        left.places.lexicographicallyPrecedes(right.places)
    }

    /// Whether enough is known of its quality to offer it to a new user.
    static func isOffered(_ voice: Voice) -> Bool {
        voice.unsupported == nil
            && (voice.isRecommended || voice.starter != nil || voice.quality != nil || isGood(voice))
    }

    private static func goodness(_ voice: Voice) -> Int {
        if isGood(voice) { return 0 }
        let order = VoiceQuality.offered
        return 1 + (voice.knownQuality.flatMap(order.firstIndex) ?? order.count)
    }

    /// A grade above C+.
    private static func isGood(_ voice: Voice) -> Bool {
        voice.grade?.first.map { $0 == "A" || $0 == "B" } ?? false
    }
}
