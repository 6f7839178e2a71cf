/// The names of emoji and emoji sequences: lines of the form `sequence = name`, sorted by bytes. The lines are searched
/// without being parsed first, so loading takes almost no time.
struct EmojiNames: Sendable {
    private let lines: [UInt8]

    init(_ lines: [UInt8]) { self.lines = lines }

    /// The maximum number of tokens in a sequence, excluding modifiers for skin tone and style.
    private static let longest = 10

    static func mayBegin(_ scalar: UInt32) -> Bool {
        switch scalar {
        case ..<0x203C: false
        case 0x1_F000...0x1_FAFF, 0x2600...0x27BF, 0x2300...0x23FF, 0x2B00...0x2BFF, 0x203C, 0x2049: true
        default: false
        }
    }

    /// Whether the scalar is a modifier that changes an emoji's appearance but not its meaning: a presentation style or
    /// a skin tone.
    static func isStyle(_ scalar: UInt32) -> Bool {
        scalar == 0xFE0E || scalar == 0xFE0F || (0x1_F3FB...0x1_F3FF).contains(scalar)
    }

    /// Returns the longest sequence that starts at a token, and its name.
    func name(at index: Int, in tokens: FixedBuffer<Token>) -> (end: Int, name: String)? {
        guard !lines.isEmpty, tokens[index].kind == .mark, Self.mayBegin(tokens[index].exact) else { return nil }
        var key: [UInt8] = []
        var best: (end: Int, name: String)?
        var cursor = index
        var count = 0
        while cursor < tokens.count, count < Self.longest {
            let token = tokens[cursor]
            guard token.kind == .mark, token.exact >= 0x80 else { break }
            cursor += 1
            if Self.isStyle(token.exact) {
                if best?.end == cursor - 1 { best?.end = cursor }
                continue
            }
            count += 1
            Folding.append(token.exact, to: &key)
            if let name = name(key) { best = (cursor, name) }
        }
        return best
    }

    private func name(_ key: [UInt8]) -> String? {
        var low = 0
        var high = lines.count
        while low < high {
            var start = (low + high) / 2
            while start > low, lines[start - 1] != 0x0A { start -= 1 }
            var end = start
            while end < high, lines[end] != 0x0A { end += 1 }
            var sign = start
            while sign + 2 < end, !(lines[sign] == 0x20 && lines[sign + 1] == 0x3D && lines[sign + 2] == 0x20) {
                sign += 1
            }
            let found = lines[start..<sign]
            if found.elementsEqual(key) { return String(decoding: lines[min(sign + 3, end)..<end], as: UTF8.self) }
            if found.lexicographicallyPrecedes(key) { low = min(end + 1, high) } else { high = start }
        }
        return nil
    }
}
