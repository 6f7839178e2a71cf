import Glibc

/// The server's settings for the messages that follow.
struct ModuleSettings: Equatable, Sendable {
    enum Punctuation: Comparable, Sendable {
        case none, some, most, all

        init?(named name: String) {
            let modes: [String: Punctuation] = ["none": .none, "some": .some, "most": .most, "all": .all]
            guard let mode = modes[name] else { return nil }
            self = mode
        }
    }

    enum Capitals: String, Sendable { case none, spell, icon }

    /// The speech rate. All numeric settings range from -100 to 100.
    private(set) var rate = 0
    private(set) var pitch = 0
    private(set) var pitchRange = 0
    private(set) var volume = 100
    private(set) var punctuation = Punctuation.none
    private(set) var spells = false
    private(set) var capitals = Capitals.none
    private(set) var voiceType = ModuleVoiceType.male1
    /// The language as a BCP 47 tag, or nil if it is not set.
    private(set) var language: String?
    /// The name in the voice list, or nil if no voice is selected.
    private(set) var voice: String?

    /// Sets a value. Unknown names are ignored, for compatibility with newer servers.
    ///
    /// - Returns: false if the value is invalid. The settings are then unchanged.
    mutating func set(_ name: String, _ value: String) -> Bool {
        let isUnset = value == "NULL"
        switch name {
        case "rate": return set(\.rate, value)
        case "pitch": return set(\.pitch, value)
        case "pitch_range": return set(\.pitchRange, value)
        case "volume": return set(\.volume, value)
        case "punctuation_mode": return set(\.punctuation, isUnset ? Punctuation.none : Punctuation(named: value))
        case "cap_let_recogn": return set(\.capitals, isUnset ? Capitals.none : Capitals(rawValue: value))
        case "spelling_mode": return set(\.spells, isUnset ? false : ["on": true, "off": false][value])
        case "voice": return set(\.voiceType, isUnset ? .male1 : ModuleVoiceType(rawValue: value.lowercased()))
        case "language":
            // The server sends its locale, which may be unset.
            let isNone = isUnset || ["c", "posix", "none"].contains(value.lowercased())
            language = isNone ? nil : value.replacing("_", with: "-")
            return true
        case "synthesis_voice":
            voice = isUnset ? nil : value
            return true
        default: return true
        }
    }

    private mutating func set<Value>(_ key: WritableKeyPath<Self, Value>, _ value: Value?) -> Bool {
        guard let value else { return false }
        self[keyPath: key] = value
        return true
    }

    private mutating func set(_ key: WritableKeyPath<Self, Int>, _ text: String) -> Bool {
        guard let number = Int(text) else { return false }
        self[keyPath: key] = min(max(number, -100), 100)
        return true
    }

    /// The rate factor, from 0.5 to 4 on a logarithmic scale.
    var rateFactor: Double { rate < 0 ? exp2(Double(rate) / 100) : exp2(Double(rate) / 50) }

    /// The pitch factor, from an octave lower to an octave higher.
    var pitchFactor: Double { exp2(Double(pitch) / 100) }

    /// The pitch range factor, from 0 (monotone) to 2.
    var intonation: Double { 1 + Double(pitchRange) / 100 }

    /// The volume factor. The maximum setting leaves the voice's volume unchanged.
    var volumeFactor: Double { Double(volume + 100) / 200 }
}

/// The server's voice types, which consist of a gender and a number.
enum ModuleVoiceType: String, CaseIterable, Sendable {
    /// The server also sends this type if the user has not selected one.
    case male1
    case male2, male3, female1, female2, female3
    case childMale = "child_male"
    case childFemale = "child_female"

    /// The gender, as in voice metadata.
    var gender: String { rawValue.contains("female") ? "female" : "male" }

    /// The index among the voices of this gender, starting from 0.
    var place: Int { rawValue.last?.wholeNumberValue.map { $0 - 1 } ?? 0 }

    /// Returns nil if no type has this index.
    init?(gender: String?, place: Int) {
        guard let type = Self.allCases.first(where: { $0.gender == gender && $0.place == place }) else { return nil }
        self = type
    }
}
