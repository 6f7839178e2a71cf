/// The configuration of the speech-dispatcher module.
package struct ModuleOptions: Equatable, Sendable {
    /// What the module does while the requested voice is being loaded for the first time.
    package enum FirstWords: String, Sendable {
        /// A voice that does not need to be loaded speaks instead.
        case other
        /// The module waits until the voice is loaded.
        case wait
    }

    package var firstWords = FirstWords.other
    /// The voice for messages in this voice's language, or nil to use synthhost's default voice.
    package var voice: String?
    /// How long an unused voice stays loaded.
    package var idle = Duration.seconds(600)

    package init() {}

    /// An invalid configuration line and its line number, starting at 1.
    package struct Mistake: Equatable, Sendable {
        /// The type of mistake, and the key or value to quote in the message.
        package enum Reason: Equatable, Sendable {
            case unknownKey(String)
            case badValue(of: String, String)
        }

        package let line: Int
        package let reason: Reason
    }

    /// Parses lines of the form `Key value`. Values may be quoted, and comments begin with `#`. Invalid lines are skipped and reported.
    package static func read(_ text: String) -> (options: ModuleOptions, mistakes: [Mistake]) {
        var options = ModuleOptions()
        var mistakes: [Mistake] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard let key = words.first, !key.hasPrefix("#") else { continue }
            let value = words.count > 1 ? unquoted(words[1]) : ""
            if let reason = options.set(String(key), value) {
                mistakes.append(Mistake(line: index + 1, reason: reason))
            }
        }
        return (options, mistakes)
    }

    private mutating func set(_ key: String, _ value: String) -> Mistake.Reason? {
        switch key.lowercased() {
        case "firstwords":
            guard let words = FirstWords(rawValue: value.lowercased()) else { return .badValue(of: key, value) }
            firstWords = words
        case "voice":
            if value.isEmpty { return .badValue(of: key, value) }
            voice = value
        case "idle":
            guard let seconds = Int(value), (1...86_400).contains(seconds) else { return .badValue(of: key, value) }
            idle = .seconds(seconds)
        default: return .unknownKey(key)
        }
        return nil
    }

    private static func unquoted(_ text: Substring) -> String {
        let value = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard value.first == "\"" else {
            return value.split(separator: " #").first.map(String.init) ?? ""
        }
        return String(value.dropFirst().prefix { $0 != "\"" })
    }
}
