import Glibc

/// The server's settings for the next messages.
struct ModuleSettings: Equatable, Sendable {
    enum Punctuation: String, Comparable, Sendable {
        case none, some, most, all

        private var rank: Int {
            switch self {
            case .none: 0
            case .some: 1
            case .most: 2
            case .all: 3
            }
        }

        static func < (first: Punctuation, second: Punctuation) -> Bool { first.rank < second.rank }
    }

    enum Capitals: String, Sendable { case none, spell, icon }

    /// A number from -100 to 100, like all settings.
    private(set) var rate = 0
    private(set) var pitch = 0
    private(set) var pitchRange = 0
    private(set) var volume = 100
    private(set) var punctuation = Punctuation.none
    private(set) var spells = false
    private(set) var capitals = Capitals.none
    private(set) var voiceType = ModuleVoiceType.male1
    /// A BCP-47 tag; nil = not set.
    private(set) var language: String?
    /// The listed name; nil = not chosen.
    private(set) var voice: String?

    /// Sets one value. Unknown names are ignored, because later servers have more of them.
    ///
    /// - Returns: false if the value is invalid; then nothing is changed.
    mutating func set(_ name: String, _ value: String) -> Bool {
        let isUnset = value == "NULL"
        switch name {
        case "rate": return set(\.rate, value)
        case "pitch": return set(\.pitch, value)
        case "pitch_range": return set(\.pitchRange, value)
        case "volume": return set(\.volume, value)
        case "punctuation_mode": return set(\.punctuation, isUnset ? Punctuation.none : Punctuation(rawValue: value))
        case "cap_let_recogn": return set(\.capitals, isUnset ? Capitals.none : Capitals(rawValue: value))
        case "spelling_mode": return set(\.spells, isUnset ? false : ["on": true, "off": false][value])
        case "voice": return set(\.voiceType, isUnset ? .male1 : ModuleVoiceType(rawValue: value.lowercased()))
        case "language":
            // The server uses its locale, which may be unset.
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

    /// The factor ranges from half the rate to four times the rate, in equal perceived steps.
    var rateFactor: Double { rate < 0 ? exp2(Double(rate) / 100) : exp2(Double(rate) / 50) }

    /// The factor ranges from an octave lower to an octave higher.
    var pitchFactor: Double { exp2(Double(pitch) / 100) }

    /// Monotone at the lowest value; at the highest, the pitch varies twice as much as the voice's default.
    var intonation: Double { 1 + Double(pitchRange) / 100 }

    /// The highest value is the voice's own volume.
    var volumeFactor: Double { Double(volume + 100) / 200 }
}

/// A voice type of the server, by gender and number.
enum ModuleVoiceType: String, CaseIterable, Sendable {
    /// The server also sends this type if the user has not chosen any.
    case male1
    case male2, male3, female1, female2, female3
    case childMale = "child_male"
    case childFemale = "child_female"

    /// The gender in the vocabulary of voices.
    var gender: String {
        switch self {
        case .male1, .male2, .male3, .childMale: "male"
        case .female1, .female2, .female3, .childFemale: "female"
        }
    }

    /// The index among the voices of the gender, from 0.
    var place: Int {
        switch self {
        case .male1, .female1, .childMale, .childFemale: 0
        case .male2, .female2: 1
        case .male3, .female3: 2
        }
    }

    /// The type of the voice at this index of a gender; nil = there is none.
    init?(gender: String?, place: Int) {
        guard let type = Self.allCases.first(where: { $0.gender == gender && $0.place == place }) else { return nil }
        self = type
    }
}
