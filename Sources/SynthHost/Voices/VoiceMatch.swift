import EngineWire

/// Which voices a name or a language fits.
enum VoiceMatch {
    /// The voice that the name means; nil where it means none.
    static func only(_ name: String, among voices: [Voice], language: String?) throws(VoiceError) -> Voice? {
        let wanted = folded(name)
        // From the surest reading to the loosest.
        let readings: [(Voice) -> Bool] = [
            { $0.description.id == name },
            { folded($0.description.id) == wanted },
            { folded($0.title) == wanted },
            { folded($0.description.name) == wanted },
            { folded($0.description.language) == wanted },
        ]
        for reading in readings {
            var fitting = voices.filter(reading)
            if fitting.count > 1, let language {
                let ofLanguage = fitting.filter { covers(language, $0.description.language) }
                if !ofLanguage.isEmpty { fitting = ofLanguage }
            }
            if fitting.count > 1 {
                throw .ambiguousVoice(name, candidates: distinct(fitting))
            }
            if let voice = fitting.first { return voice }
        }
        return nil
    }

    /// The voice for a BCP-47 tag: of that very tag, else of the nearest more general one, else one of its variants.
    static func best(forLanguage language: String, among voices: [Voice]) -> Voice? {
        var tag = folded(language)[...]
        while !tag.isEmpty {
            if let voice = voices.first(where: { folded($0.description.id) == tag })
                ?? voices.first(where: { folded($0.description.language) == tag })
                ?? voices.first(where: { folded($0.description.language).hasPrefix(tag + "-") })
            {
                return voice
            }
            tag = tag.lastIndex(of: "-").map { tag[..<$0] } ?? ""
        }
        return nil
    }

    /// Case and the two ways to join a tag say nothing.
    private static func folded(_ name: String) -> String {
        name.lowercased().split(separator: " ").joined(separator: " ").replacing("_", with: "-")
    }

    static func covers(_ wish: String, _ language: String) -> Bool {
        let (wish, language) = (folded(wish), folded(language))
        return language == wish || language.hasPrefix(wish + "-")
    }

    /// Titles where they tell the voices apart, else ids.
    private static func distinct(_ voices: [Voice]) -> [String] {
        let titles = Set(voices.map(\.title))
        return titles.count == voices.count ? voices.map(\.title) : voices.map(\.description.id)
    }
}
