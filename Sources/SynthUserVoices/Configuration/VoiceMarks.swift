package import SynthCatalogue
import SynthJSON
package import SynthSpeech

/// The user's voice profiles and marks, prepared for repeated lookups.
package struct VoiceMarks: Sendable {
    private let profiles: NameTable<VoiceProfile>
    /// The voices to list first.
    package let favourites: VoiceNames
    /// The voices to hide from lists.
    package let hidden: VoiceNames

    package init(_ configuration: Configuration) {
        profiles = NameTable(configuration.profiles)
        favourites = VoiceNames(configuration.favourites)
        hidden = VoiceNames(configuration.hidden)
    }

    /// A voice's profile. If several keys match the voice, the most specific key that sets a factor takes precedence.
    package func profile(of voice: Voice) -> VoiceProfile {
        profiles.values(of: voice).reduce(VoiceProfile()) { $0.filled(from: $1) }
    }

    /// Returns the voices with favorites first.
    package func favouritesFirst(_ voices: [Voice]) -> [Voice] {
        voices.filter(favourites.contains) + voices.filter { !favourites.contains($0) }
    }
}

extension SpeechVoice {
    /// - Parameter marks: the user's profiles and marks.
    package init(
        _ choice: VoiceChoice, state: State, _ marks: VoiceMarks = VoiceMarks(Configuration()), size: Int64? = nil,
        isRemovable: Bool = false
    ) {
        let heaviest = choice.heaviest.voice
        self.init(
            choice, state: state, profile: marks.profile(of: heaviest),
            isFavourite: marks.favourites.contains(heaviest), isHidden: marks.hidden.contains(heaviest), size: size,
            isRemovable: isRemovable)
    }

    /// Returns a copy of the voice with these profiles and marks.
    package func with(_ marks: VoiceMarks) -> SpeechVoice {
        SpeechVoice(choice, state: state, marks, size: size, isRemovable: isRemovable)
    }
}

/// A list of voices in the configuration.
package enum VoiceList: String, CaseIterable, Sendable {
    case favourites, hidden

    /// The opposite list. A voice is in at most one of the two lists.
    var other: VoiceList { self == .favourites ? .hidden : .favourites }

    /// Parses a list from the command line ("Heart, Amy") or a JSON array. Returns nil if the text is neither.
    package static func names(in text: String) -> [String]? {
        if let node = try? JSONReader.read(Array(text.utf8)), case .array(let elements) = node.value {
            let names = elements.compactMap { if case .string(let name) = $0.value { name } else { nil } }
            return names.count == elements.count && names.allSatisfy(isName) ? names : nil
        }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.split(separator: " ").joined(separator: " ")
        }
        return names.allSatisfy(isName) ? names : nil
    }

    /// Like `names(in:)`, but parses "none" as an empty list.
    package static func namesOrNone(in text: String) -> [String]? {
        text.lowercased() == "none" ? [] : names(in: text)
    }

    /// Formats a list so that `names(in:)` can parse it even if the names contain commas or quotation marks.
    package static func text(of names: [String]) -> String {
        JSONWriter.text(of: JSONNode(.array(names.map { JSONNode(.string($0)) })))
    }

    private static func isName(_ name: String) -> Bool { !name.isEmpty && UserChosenName.isOneLine(name) }
}
