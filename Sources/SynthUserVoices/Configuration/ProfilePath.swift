package import SynthCatalogue
import SynthJSON
package import SynthSpeech

/// What a key below "profiles." names: a voice, or one factor of its profile.
package struct ProfilePath: Equatable, Sendable {
    /// "Heart", as it was typed. It may contain dots.
    package let voice: String
    let factor: ProfileFactor?
    /// Whether it names a factor.
    package var hasFactor: Bool { factor != nil }

    static let root = "profiles"

    /// The parts of "profiles.Heart.rate" or "profiles.Heart"; nil = the key is none of a profile.
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

    /// The same factor of a voice, under the name that no other voice has.
    package func of(_ key: String) -> String {
        ([Self.root, key] + [factor?.rawValue].compactMap { $0 }).joined(separator: ".")
    }

    /// The value of a profile as JSON; a factor that is not tuned is 1.
    package func text(in profile: VoiceProfile) -> String {
        factor.map { JSONWriter.text(of: profile[keyPath: $0.place] ?? 1) } ?? profile.text
    }

    /// The members of the file that lead to it.
    var steps: [String] { [Self.root, voice] + [factor?.rawValue].compactMap { $0 } }
}

/// One of the factors of a profile, by its name in the configuration.
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

    var place: any WritableKeyPath<VoiceProfile, Double?> & Sendable {
        switch self {
        case .rate: \.rate
        case .pitch: \.pitch
        case .volume: \.volume
        case .pause: \.pause
        }
    }

    /// - Throws: `notSettable` if a value is out of its range.
    func check(_ value: Double, of voice: Voice) throws(SpeechError) {
        if factor.range.contains(value) { return }
        throw .notSettable(
            key: ProfilePath(voice: voice.key, factor: self).of(voice.key), value: value.description,
            expected: factor.expectation)
    }
}

extension VoiceProfile {
    /// As the configuration holds it.
    var json: JSONNode.Value {
        .object(
            ProfileFactor.allCases.compactMap { factor in
                self[keyPath: factor.place].map { JSONNode.Member(name: factor.rawValue, node: JSONNode(.number($0))) }
            })
    }

    /// As JSON on several lines: `{ "rate": 1.1 }`.
    package var text: String { JSONWriter.text(of: JSONNode(json)) }

    /// - Throws: `notSettable` for the first factor that is out of its range.
    package func check(of voice: Voice) throws(SpeechError) {
        for factor in ProfileFactor.allCases {
            if let value = self[keyPath: factor.place] { try factor.check(value, of: voice) }
        }
    }
}
