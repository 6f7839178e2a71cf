import SynthAudio
package import SynthCatalogue
import SynthEngineWire
import SynthJSON
package import SynthSpeech
import SynthSystem

/// The user's voice profiles and marks (favorite and hidden voices), prepared for repeated lookups.
package struct VoiceMarks: Sendable {
    private let profiles: NameTable<VoiceProfile>
    /// The voices to list first.
    package let favorites: VoiceNames
    /// The voices to hide from lists.
    package let hidden: VoiceNames

    package init(_ configuration: Configuration) {
        profiles = NameTable(configuration.profiles)
        favorites = VoiceNames(configuration.favorites)
        hidden = VoiceNames(configuration.hidden)
    }

    /// A voice's profile. If several keys match the voice, each factor is taken from the most specific key that sets
    /// it.
    package func profile(of voice: Voice) -> VoiceProfile {
        profiles.values(of: voice).reduce(VoiceProfile()) { $0.filled(from: $1) }
    }

    /// Returns the voices with favorites first.
    package func favoritesFirst(_ voices: [Voice]) -> [Voice] {
        voices.filter(favorites.contains) + voices.filter { !favorites.contains($0) }
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
            isFavorite: marks.favorites.contains(heaviest), isHidden: marks.hidden.contains(heaviest), size: size,
            isRemovable: isRemovable)
    }

    /// Returns a copy of the voice with these profiles and marks.
    package func with(_ marks: VoiceMarks) -> SpeechVoice {
        SpeechVoice(choice, state: state, marks, size: size, isRemovable: isRemovable)
    }
}

/// A list of voices in the configuration.
package enum VoiceList: String, CaseIterable, Sendable {
    case favorites, hidden

    /// The opposite list. A voice is in at most one of the two lists.
    var other: VoiceList { self == .favorites ? .hidden : .favorites }

    /// Parses a list as typed on the command line ("Heart, Amy") or a JSON array. Returns nil if the text is neither.
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

extension Configuration: SpeechPresets {
    package func settings(_ options: SpeechOptions, for choice: VoiceChoice) -> SpeechSettings {
        SpeechSettings(options, presets: self, for: choice)
    }

    /// The effective configuration for a voice: the values for all voices multiplied by the voice's profile. A blend
    /// uses the profile of the voice with the greatest weight, or of the first such voice if several are tied.
    package func tuned(for choice: VoiceChoice) -> Configuration {
        if profiles.isEmpty { return self }
        let profile = VoiceMarks(self).profile(of: choice.heaviest.voice)
        var result = self
        result.rate = SpeechFactor.rate.product(rate, profile.rate)
        result.pitch = SpeechFactor.pitch.product(pitch, profile.pitch)
        result.volume = SpeechFactor.volume.product(volume, profile.volume)
        if let pause = profile.pause { result.pauses = pauses.times(pause) }
        return result
    }
}

extension SpeechSettings {
    /// Creates the user's settings for a voice or a blend: the values for all voices multiplied by its profile.
    package init(_ configuration: Configuration, for choice: VoiceChoice) {
        self.init(configuration.tuned(for: choice))
    }

    /// Creates the user's settings for all voices.
    package init(_ configuration: Configuration) {
        self.init(
            rate: configuration.rate, pitch: configuration.pitch, volume: Gain(factor: Float(configuration.volume)))
        keepsVoice = configuration.keepVoice
        isWhispered = configuration.whisper
        pauses = configuration.pauses
    }

    package init(_ options: SpeechOptions, presets: Configuration, for choice: VoiceChoice) {
        self.init(options.usesProfile ? presets.tuned(for: choice) : presets)
        rate = options.rate ?? rate
        pitch = options.pitch ?? pitch
        volume = options.volume.map { Gain(factor: Float($0)) } ?? volume
        language = options.language
        keepsVoice = options.keepsVoice ?? keepsVoice
        pauses = options.pauses ?? pauses
        variation = options.variation
        intonation = options.intonation
        isWhispered = options.isWhispered ?? isWhispered
        readsTokens = options.readsPhonemes
        isVerbatim = options.isVerbatim
        wants = EventKinds(rawValue: options.events.rawValue)
    }
}

extension ClipLibrary {
    /// Creates a library from the clips in a configuration.
    ///
    /// - Parameter file: the configuration file. Relative paths are resolved against its folder.
    package init(_ configuration: Configuration, from file: ConfigurationFile, scope: ClipScope = .names) {
        let path = absolutePath(file.path)
        self.init(
            configured: configuration.clips, base: path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "",
            scope: scope)
    }
}

extension SpeechFactor {
    /// The product of the factors, clamped to the valid range.
    fileprivate func product(_ factor: Double, _ other: Double?) -> Double {
        other.map { min(max(factor * $0, range.lowerBound), range.upperBound) } ?? factor
    }
}
