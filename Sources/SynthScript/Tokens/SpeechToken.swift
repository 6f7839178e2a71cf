/// The content of a bracketed token.
enum SpeechToken {
    /// The first word of a token, which determines its type.
    enum Word: String, CaseIterable {
        case pause
        case sfx
        case voice
        case mark

        static let longest = 5
    }

    case pause(Duration)
    case clip(String, gain: Double, channel: String?)
    case voice(String?)
    case mark(String)
    case pronunciation(String)

    private static let longestPause = Duration.seconds(600)
    private static let gains = -100.0...100.0

    /// - Parameter word: the type, or nil for a pronunciation.
    init(_ word: Word?, _ value: TokenValue) throws(ScriptError) {
        switch word {
        case .pause:
            guard let duration = Self.duration(value.text), duration <= Self.longestPause else {
                throw value.unusable(of: "pause")
            }
            self = .pause(duration)
        case .voice: self = .voice(value.text.isEmpty ? nil : try value.name(of: "voice"))
        case .mark: self = .mark(try value.name(of: "mark"))
        case .sfx: self = try Self.clip(value)
        case nil: self = .pronunciation(try value.name(of: "[[ ]]"))
        }
    }

    private static func clip(_ value: TokenValue) throws(ScriptError) -> SpeechToken {
        let (name, settings) = value.settings()
        var gain: Double?
        var channel: String?
        let clip = try name.name(of: "sfx")
        for (key, value) in settings {
            let word = key.text.lowercased()
            switch word {
            case "gain" where gain == nil:
                guard let number = decibels(value.text) else { throw value.unusable(of: word) }
                gain = number
            case "channel" where channel == nil: channel = try value.name(of: word)
            default: throw ScriptError(.unexpected("\(word)="), offset: key.range.lowerBound)
            }
        }
        return .clip(clip, gain: gain ?? 0, channel: channel)
    }

    private static func decibels(_ text: String) -> Double? {
        var number = text[...]
        if number.lowercased().hasSuffix("db") { number = number.dropLast(2) }
        while number.last == " " { number.removeLast() }
        // `Double` also accepts "infinity", "nan" and hexadecimal numbers.
        guard number.allSatisfy({ "+-.0123456789".contains($0) }), let value = Double(number), gains.contains(value)
        else { return nil }
        return value
    }

    /// Parses digits with an optional fraction, followed by a unit.
    private static func duration(_ text: String) -> Duration? {
        let lower = text.lowercased()
        let isMilliseconds = lower.hasSuffix("ms")
        guard isMilliseconds || lower.hasSuffix("s") else { return nil }
        var digits = lower.dropLast(isMilliseconds ? 2 : 1)
        while digits.last == " " { digits.removeLast() }
        let halves = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = halves.first, halves.count <= 2, whole.count <= 9, digits.count <= 20,
            halves.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), digits.contains(where: \.isNumber)
        else { return nil }
        let fraction = halves.count == 2 ? halves[1] : ""
        // Pauses have nanosecond precision. Additional digits are ignored.
        let places = isMilliseconds ? 6 : 9
        let scaled = fraction.prefix(places) + String(repeating: "0", count: max(0, places - fraction.count))
        guard let units = Int64(whole.isEmpty ? "0" : whole), let part = Int64(scaled) else { return nil }
        return .nanoseconds(units * (isMilliseconds ? 1_000_000 : 1_000_000_000) + part)
    }
}

/// A value inside a token, without surrounding white space.
struct TokenValue {
    private static let longest = 256

    /// The range in the token's text. For an empty value, an empty range that marks its position.
    let range: Range<Int>
    let text: String

    init(_ utf8: [UInt8], _ range: Range<Int>) {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let bytes = utf8[range]
        let start = bytes.firstIndex { !isBlank($0) } ?? range.upperBound
        let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? range.upperBound
        self.range = start..<end
        text = String(decoding: utf8[start..<end], as: UTF8.self)
    }

    private init(_ text: Substring, from value: TokenValue) {
        let start = value.range.lowerBound + value.text.utf8.distance(from: value.text.startIndex, to: text.startIndex)
        self.init(Array(text.utf8), at: start)
    }

    private init(_ utf8: [UInt8], at offset: Int) {
        let inner = TokenValue(utf8, 0..<utf8.count)
        range = inner.range.lowerBound + offset..<inner.range.upperBound + offset
        text = inner.text
    }

    /// Splits the value into the text before the first ` key=` and the settings after it.
    func settings() -> (name: TokenValue, settings: [(key: TokenValue, value: TokenValue)]) {
        var cuts: [(start: Substring.Index, key: Substring)] = []
        var word: Substring.Index? = text.startIndex
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            if character == " " || character == "\t" {
                word = text.index(after: index)
            } else if character == "=", let start = word, start < index {
                cuts.append((start, text[start..<index]))
                word = nil
            } else if !(character.isASCII && character.isLetter) {
                word = nil
            }
            index = text.index(after: index)
        }
        let ends = cuts.dropFirst().map(\.start) + [text.endIndex]
        let settings = zip(cuts, ends).map { cut, end in
            (TokenValue(cut.key, from: self), TokenValue(text[text.index(after: cut.key.endIndex)..<end], from: self))
        }
        return (TokenValue(text[..<(cuts.first?.start ?? text.endIndex)], from: self), settings)
    }

    /// Returns the value as a name. Throws if it is empty, too long or contains forbidden characters.
    func name(of what: String) throws(ScriptError) -> String {
        let isName =
            !text.isEmpty && text.unicodeScalars.count <= Self.longest
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                default: scalar != "[" && scalar != "]"
                }
            }
        guard isName else { throw unusable(of: what) }
        return text
    }

    func unusable(of what: String) -> ScriptError {
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(80)))
        return ScriptError(.badValue(of: what, value: start), offset: range.lowerBound)
    }
}
