package import SynthHost

/// The voices of a library at a moment.
package struct LibraryList: Equatable, Sendable {
    /// What is different in a later list.
    enum Change: Equatable {
        case voices([String])
        /// Voices came or went, or stand in another order, or another one is chosen.
        case all
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
        guard chosen == earlier.chosen, voices.count == earlier.voices.count else { return .all }
        var changed: [String] = []
        for (new, old) in zip(voices, earlier.voices) {
            if new.key != old.key { return .all }
            if new != old { changed.append(new.key) }
        }
        return .voices(changed)
    }
}
