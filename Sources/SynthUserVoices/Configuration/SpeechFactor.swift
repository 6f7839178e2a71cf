import Glibc
package import SynthCatalogue
import SynthJSON
package import SynthSpeech

/// A factor that changes speech, and its notation in flags, environment variables and the configuration.
package struct SpeechFactor: Sendable {
    package let range: ClosedRange<Double>
    /// The expected value, phrased to follow "must be".
    package let expectation: String
    private let read: @Sendable (String) -> Double?

    /// The speed factor, written as "1.25" or "125%", or as a relative change: "+20%", "-10%".
    package static let rate = SpeechFactor(
        range: 0.25...4, expectation: "a factor from 0.25 to 4, such as 1.25, 125% or +25%"
    ) { percentage($0) ?? factor($0) }

    /// The pitch factor, written as "1.1" or in semitones: "+2st", "-3st".
    package static let pitch = SpeechFactor(
        range: 0.5...2, expectation: "a factor from 0.5 to 2, such as 1.1, or semitones from -12st to +12st"
    ) { text in number(text, unit: "st").map { exp2($0 / 12) } ?? factor(text) }

    /// The factor for random variation, written as "0.5" or "50%".
    package static let variation = SpeechFactor(
        range: 0...2, expectation: "a factor from 0 to 2, such as 0, 0.5 or 150%"
    ) { percentage($0) ?? factor($0) }

    /// The factor for the length of pauses, written as "1.5" or "150%".
    package static let pause = SpeechFactor(
        range: 0...4, expectation: "a factor from 0 to 4, such as 0.5, 1.5 or 150%"
    ) { percentage($0) ?? factor($0) }

    /// The volume factor, written as "0.5", "50%" or in decibels: "+3dB", "-6dB".
    package static let volume = SpeechFactor(
        range: 0...4, expectation: "a gain from 0 to 4, such as 0.5, 50% or -6dB (up to +12dB)"
    ) { text in number(text, unit: "db").map { pow(10, $0 / 20) } ?? percentage(text) ?? factor(text) }

    /// Parses a factor. Returns nil if it is invalid or out of range. The result is rounded to six decimal places, so
    /// that its printed form is short and parses to the same value. The rounding is inaudible.
    package func value(of text: String) -> Double? {
        guard let value = read(text) else { return nil }
        let rounded = (value * 1e6).rounded() / 1e6
        return range.contains(rounded) ? rounded : nil
    }

    /// Reads a factor from the configuration: a number, or a string in command-line notation. Returns nil if it is
    /// invalid.
    func value(of value: JSONNode.Value) -> Double? {
        switch value {
        case .number(let number): range.contains(number) ? number : nil
        case .string(let text): self.value(of: text)
        default: nil
        }
    }

    func describe(_ node: JSONNode) -> String {
        if case .string(let text) = node.value { "\"\(text)\"" } else { node.kindName }
    }

    /// Parses a percentage. A signed percentage is relative to 100%.
    private static func percentage(_ text: String) -> Double? {
        guard let value = number(text, unit: "%") else { return nil }
        return isSigned(text) ? 1 + value / 100 : value / 100
    }

    private static func factor(_ text: String) -> Double? {
        isSigned(text) ? nil : decimal(text)
    }

    private static func isSigned(_ text: String) -> Bool {
        text.hasPrefix("+") || text.hasPrefix("-")
    }

    private static func number(_ text: String, unit: String) -> Double? {
        guard text.lowercased().hasSuffix(unit) else { return nil }
        return decimal(String(text.dropLast(unit.count)))
    }

    /// Accepts digits, a sign and at most one decimal point. `Double.init` alone would also accept "nan", "inf" and
    /// "0x1p3".
    private static func decimal(_ text: String) -> Double? {
        let digits = isSigned(text) ? text.dropFirst() : text[...]
        guard digits.contains(where: { $0.isASCII && $0.isNumber }), digits.count <= 20,
            digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." })
        else { return nil }
        let padded = (digits.hasPrefix(".") ? "0" : "") + digits + (digits.hasSuffix(".") ? "0" : "")
        return Double(padded).map { text.hasPrefix("-") ? -$0 : $0 }
    }
}

/// A key under "profiles.": a voice or one factor of its profile.
package struct ProfilePath: Equatable, Sendable {
    /// The name as typed, such as "Heart". It may contain dots.
    package let voice: String
    let factor: ProfileFactor?

    static let root = "profiles"

    /// Parses "profiles.Heart.rate" or "profiles.Heart". Returns nil if it is not a profile key.
    package init?(_ path: String) {
        guard path.hasPrefix(Self.root + ".") else { return nil }
        self.init(name: String(path.dropFirst(Self.root.count + 1)))
    }

    /// - Parameter name: "Heart.rate" or "Heart".
    init?(name: String) {
        let dot = name.lastIndex(of: ".")
        let last = dot.flatMap { ProfileFactor(rawValue: String(name[name.index(after: $0)...])) }
        voice = if let dot, last != nil { String(name[..<dot]) } else { name }
        factor = last
        if voice.isEmpty { return nil }
    }

    init(voice: String, factor: ProfileFactor?) {
        self.voice = voice
        self.factor = factor
    }

    /// Returns the same path with a voice's unique key instead of the typed name.
    package func of(_ key: String) -> String {
        ([Self.root, key] + [factor?.rawValue].compactMap { $0 }).joined(separator: ".")
    }

    /// The factor's value in a profile as JSON, or the entire profile if the key does not name a factor. A factor that
    /// is not set is 1.
    package func text(in profile: VoiceProfile) -> String {
        factor.map { JSONWriter.text(of: profile[keyPath: $0.keyPath] ?? 1) } ?? profile.text
    }

    /// The path of the value in the file, as member names.
    var steps: [String] { [Self.root, voice] + [factor?.rawValue].compactMap { $0 } }
}

/// A factor of a profile. The raw value is its name in the configuration.
enum ProfileFactor: String, CaseIterable, Sendable {
    case rate, pitch, volume, pause

    var factor: SpeechFactor {
        switch self {
        case .rate: .rate
        case .pitch: .pitch
        case .volume: .volume
        case .pause: .pause
        }
    }

    var keyPath: any WritableKeyPath<VoiceProfile, Double?> & Sendable {
        switch self {
        case .rate: \.rate
        case .pitch: \.pitch
        case .volume: \.volume
        case .pause: \.pause
        }
    }

    /// - Throws: `settingInvalid` if the value is out of range.
    func check(_ value: Double, of voice: Voice) throws(SpeechError) {
        if factor.range.contains(value) { return }
        throw .notSettable(
            key: ProfilePath(voice: voice.key, factor: self).of(voice.key), value: value.description,
            expected: factor.expectation)
    }
}

extension VoiceProfile {
    var json: JSONNode.Value {
        .object(
            ProfileFactor.allCases.compactMap { factor in
                self[keyPath: factor.keyPath].map {
                    JSONNode.Member(name: factor.rawValue, node: JSONNode(.number($0)))
                }
            })
    }

    /// The profile as JSON with one member per line, such as `"rate": 1.1`.
    package var text: String { JSONWriter.text(of: JSONNode(json)) }

    /// - Throws: `settingInvalid` for the first factor that is out of range.
    package func check(of voice: Voice) throws(SpeechError) {
        for factor in ProfileFactor.allCases {
            if let value = self[keyPath: factor.keyPath] { try factor.check(value, of: voice) }
        }
    }
}
