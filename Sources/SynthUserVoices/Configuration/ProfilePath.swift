package import SynthCatalogue
import SynthJSON
package import SynthSpeech

/// A key below "profiles.": a voice or one factor of its profile.
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

    /// The factor's value in a profile, or the entire profile if the key names no factor, as JSON. A factor that is not
    /// set is 1.
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
