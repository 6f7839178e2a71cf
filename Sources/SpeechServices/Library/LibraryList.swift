package import SynthHost

/// The voices of a library at a moment.
package struct LibraryList: Equatable, Sendable {
    /// What is different in a later list.
    struct Change: Equatable {
        /// The keys of voices that are other than they were.
        var voices: [String] = []
        /// Voices came or went, or stand in another order, or another one is chosen.
        var isOfList = false

        var isEmpty: Bool { voices.isEmpty && !isOfList }
    }

    /// In the order of a list, each once.
    package let voices: [LibraryVoice]
    /// The key of the voice that speaks if none is named; nil = none does.
    package let chosen: String?
    private let places: [String: Int]

    package init(_ voices: [LibraryVoice], chosen: String?) {
        var places: [String: Int] = [:]
        for (place, voice) in voices.enumerated() where places[voice.key] == nil { places[voice.key] = place }
        self.voices = places.count == voices.count ? voices : places.values.sorted().map { voices[$0] }
        self.chosen = chosen
        if places.count < voices.count {
            places = Dictionary(uniqueKeysWithValues: self.voices.enumerated().map { ($1.key, $0) })
        }
        self.places = places
    }

    subscript(key: String) -> LibraryVoice? { places[key].map { voices[$0] } }

    func change(since earlier: LibraryList) -> Change {
        var change = Change(isOfList: chosen != earlier.chosen || voices.count != earlier.voices.count)
        for (place, voice) in voices.enumerated() {
            let earlierPlace = earlier.places[voice.key]
            if place != earlierPlace { change.isOfList = true }
            if let earlierPlace, earlier.voices[earlierPlace] != voice { change.voices.append(voice.key) }
        }
        return change
    }
}
