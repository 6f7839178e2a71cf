import LocatedJSON

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
