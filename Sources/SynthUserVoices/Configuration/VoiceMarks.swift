package import SynthCatalogue
import SynthJSON
package import SynthSpeech

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

extension SpeechVoice {
    /// - Parameter marks: what the user says of voices.
    package init(_ choice: VoiceChoice, state: State, _ marks: VoiceMarks = VoiceMarks(Configuration())) {
        let heaviest = choice.heaviest.voice
        self.init(
            choice, state: state, profile: marks.profile(of: heaviest),
            isFavourite: marks.favourites.contains(heaviest),
            isHidden: marks.hidden.contains(heaviest))
    }
}

/// A list of voices in the configuration.
package enum VoiceList: String, CaseIterable, Sendable {
    case favourites, hidden

    /// A voice that is put on one of them is taken off the other.
    var other: VoiceList { self == .favourites ? .hidden : .favourites }

    /// The names of a list on the command line, "Heart, Amy", or of a list in JSON; nil if the text is neither.
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

    /// The same; also "none", for a list without any.
    package static func namesOrNone(in text: String) -> [String]? {
        text.lowercased() == "none" ? [] : names(in: text)
    }

    /// A list as `names(in:)` reads it, whatever characters the names have.
    package static func text(of names: [String]) -> String {
        JSONWriter.text(of: JSONNode(.array(names.map { JSONNode(.string($0)) })))
    }

    private static func isName(_ name: String) -> Bool { !name.isEmpty && GivenName.isOneLine(name) }
}
