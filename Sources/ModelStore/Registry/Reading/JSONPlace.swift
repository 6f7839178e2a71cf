/// Finds the line of a value in JSON text, for messages. Slow and forgiving: the text may be damaged behind the value.
struct JSONPlace {
    enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    private let text: [UInt8]
    private var position = 0
    private var line = 1

    /// The line, counted from 1, on which the value at `path` begins, or as deep as the text goes.
    static func line(of path: [Step], in text: [UInt8]) -> Int? {
        var place = JSONPlace(text: text)
        place.skipSpace()
        for step in path where !place.enter(step) { break }
        return place.position < text.count ? place.line : nil
    }

    private init(text: [UInt8]) { self.text = text }

    private var current: UInt8? { position < text.count ? text[position] : nil }

    private mutating func advance() {
        if current == 0x0a { line += 1 }
        position += 1
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { advance() }
    }

    /// Moves from the beginning of a container to the member; stays where it was when there is none.
    private mutating func enter(_ step: Step) -> Bool {
        let start = self
        let opening: UInt8 = if case .key = step { 0x7b } else { 0x5b }
        guard current == opening else { return false }
        advance()
        skipSpace()
        var count = 0
        while let byte = current, byte != 0x5d, byte != 0x7d {
            var name: String?
            if opening == 0x7b {
                name = readString()
                skipSpace()
                advance()
                skipSpace()
            }
            if step == name.map(Step.key) ?? .index(count) { return true }
            skipValue()
            skipSpace()
            if current == 0x2c { advance() }
            skipSpace()
            count += 1
        }
        self = start
        return false
    }

    private mutating func readString() -> String {
        let start = position
        skipString()
        return String(decoding: text[start..<min(position, text.count)].dropFirst().dropLast(), as: UTF8.self)
    }

    private mutating func skipString() {
        advance()
        while let byte = current, byte != 0x22 {
            if byte == 0x5c { advance() }
            advance()
        }
        advance()
    }

    private mutating func skipValue() {
        var depth = 0
        while let byte = current {
            switch byte {
            case 0x22: skipString()
            case 0x7b, 0x5b:
                depth += 1
                advance()
            case 0x7d, 0x5d:
                if depth == 0 { return }
                depth -= 1
                advance()
            case 0x2c where depth == 0: return
            default: advance()
            }
            if depth == 0, let last = current, last == 0x2c || last == 0x5d || last == 0x7d { return }
        }
    }
}
