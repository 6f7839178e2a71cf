/// Where text stops being JSON (RFC 8259). The decoder does not say, and somebody has to correct the file.
struct JSONFlaw {
    private let text: [UInt8]
    private var position = 0
    private static let deepest = 256

    /// The line, counted from 1, of the first flaw; `nil` when there is none.
    static func line(in text: [UInt8]) -> Int? {
        var flaw = JSONFlaw(text: text)
        flaw.skipSpace()
        let isWhole = flaw.passValue(depth: 0)
        if isWhole { flaw.skipSpace() }
        guard !isWhole || flaw.position < text.count else { return nil }
        return text.prefix(flaw.position).reduce(1) { $1 == 0x0a ? $0 + 1 : $0 }
    }

    private init(text: [UInt8]) { self.text = text }

    private var current: UInt8? { position < text.count ? text[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { position += 1 }
    }

    private mutating func pass(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func passValue(depth: Int) -> Bool {
        guard depth < JSONFlaw.deepest, let byte = current else { return false }
        switch byte {
        case UInt8(ascii: "{"): return passMembers(until: UInt8(ascii: "}"), named: true, depth)
        case UInt8(ascii: "["): return passMembers(until: UInt8(ascii: "]"), named: false, depth)
        case UInt8(ascii: "\""): return passString()
        case UInt8(ascii: "t"): return passWord("true")
        case UInt8(ascii: "f"): return passWord("false")
        case UInt8(ascii: "n"): return passWord("null")
        default: return passNumber()
        }
    }

    private mutating func passMembers(until end: UInt8, named: Bool, _ depth: Int) -> Bool {
        position += 1
        skipSpace()
        if pass(end) { return true }
        while true {
            if named {
                guard passString() else { return false }
                skipSpace()
                guard pass(UInt8(ascii: ":")) else { return false }
                skipSpace()
            }
            guard passValue(depth: depth + 1) else { return false }
            skipSpace()
            if pass(end) { return true }
            guard pass(UInt8(ascii: ",")) else { return false }
            skipSpace()
        }
    }

    private mutating func passString() -> Bool {
        guard pass(UInt8(ascii: "\"")) else { return false }
        while let byte = current, byte >= 0x20 {
            position += 1
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\") { position += 1 }
        }
        return false
    }

    private mutating func passWord(_ word: String) -> Bool { word.utf8.allSatisfy { pass($0) } }

    private mutating func passNumber() -> Bool {
        let start = position
        while let byte = current, (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) { position += 1 }
        return position > start
    }
}
