/// Parses JSON (RFC 8259) and records the lines of keys and values.
///
/// The parser is strict: repeated keys in an object are errors unless the caller allows them, and nesting deeper than `deepest` is always
/// an error. Memory use is proportional to the length of the text, and stack use to `deepest`.
package struct JSONReader {
    package static let deepest = 32

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private let allowsRepeatedKeys: Bool
    /// The number of values that may still be parsed. It is limited because a value takes much more memory than its text.
    private var valuesLeft: Int

    /// - Parameter maximumValues: the maximum number of values.
    package static func read(
        _ bytes: [UInt8], allowsRepeatedKeys: Bool = false, maximumValues: Int = .max
    ) throws(JSONSyntaxError) -> JSONNode {
        var reader = JSONReader(bytes: bytes, allowsRepeatedKeys: allowsRepeatedKeys, maximumValues: maximumValues)
        reader.skipMark()
        let node = try reader.readValue(depth: 0)
        reader.skipSpace()
        guard reader.peek == nil else { throw reader.failure("nothing may follow the end of the value") }
        return node
    }

    /// Returns the value of one member of the top-level object; nil if it does not exist. The text after the member is
    /// not parsed.
    package static func read(_ bytes: [UInt8], member name: String) throws(JSONSyntaxError) -> JSONNode? {
        var reader = JSONReader(bytes: bytes, allowsRepeatedKeys: true, maximumValues: .max)
        reader.skipMark()
        reader.skipSpace()
        guard reader.peek == UInt8(ascii: "{") else { return nil }
        reader.position += 1
        var isFirst = true
        while try !reader.closes(with: UInt8(ascii: "}"), isFirst: isFirst) {
            isFirst = false
            let key = try reader.readKey()
            try reader.passColon(after: key)
            let value = try reader.readValue(depth: 1)
            if key == name { return value }
        }
        return nil
    }

    private init(bytes: [UInt8], allowsRepeatedKeys: Bool, maximumValues: Int) {
        self.bytes = bytes
        valuesLeft = maximumValues
        self.allowsRepeatedKeys = allowsRepeatedKeys
    }

    private var peek: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private func failure(_ reason: String, at place: Int? = nil) -> JSONSyntaxError {
        let before = bytes[lineStart..<min(place ?? position, bytes.count)]
        let column = before.reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
        return JSONSyntaxError(line: line, column: column, reason: reason)
    }

    /// Skips a byte order mark, which some editors write.
    private mutating func skipMark() {
        guard bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        position = 3
        lineStart = 3
    }

    private mutating func readKey() throws(JSONSyntaxError) -> String {
        guard peek == UInt8(ascii: "\"") else { throw failure("a key in double quotes is expected here") }
        return try readString()
    }

    private mutating func passColon(after key: String) throws(JSONSyntaxError) {
        skipSpace()
        guard peek == UInt8(ascii: ":") else { throw failure("a colon is expected after the key \"\(key)\"") }
        position += 1
    }

    private mutating func skipSpace() {
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                lineStart = position + 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: return
            }
            position += 1
        }
    }

    private mutating func readValue(depth: Int) throws(JSONSyntaxError) -> JSONNode {
        skipSpace()
        guard valuesLeft > 0 else { throw failure("the number of values exceeds the limit") }
        valuesLeft -= 1
        let line = line
        switch peek {
        case UInt8(ascii: "{"): return JSONNode(.object(try readObject(depth: depth)), line: line)
        case UInt8(ascii: "["): return JSONNode(.array(try readArray(depth: depth)), line: line)
        case UInt8(ascii: "\""): return JSONNode(.string(try readString()), line: line)
        case UInt8(ascii: "t"): return JSONNode(try readWord("true", .boolean(true)), line: line)
        case UInt8(ascii: "f"): return JSONNode(try readWord("false", .boolean(false)), line: line)
        case UInt8(ascii: "n"): return JSONNode(try readWord("null", .null), line: line)
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
            return JSONNode(.number(try readNumber()), line: line)
        case nil: throw failure("the text ends where a value is expected")
        default: throw failure("a value is expected here")
        }
    }

    private mutating func readObject(depth: Int) throws(JSONSyntaxError) -> [JSONNode.Member] {
        try enter(depth)
        var members: [JSONNode.Member] = []
        var lines: [String: Int] = [:]
        while try !closes(with: UInt8(ascii: "}"), isFirst: members.isEmpty) {
            let place = position
            let name = try readKey()
            if !allowsRepeatedKeys, let first = lines.updateValue(line, forKey: name) {
                throw failure("the key \"\(name)\" already occurs on line \(first)", at: place)
            }
            let keyLine = line
            try passColon(after: name)
            members.append(JSONNode.Member(name: name, line: keyLine, node: try readValue(depth: depth + 1)))
        }
        return members
    }

    private mutating func readArray(depth: Int) throws(JSONSyntaxError) -> [JSONNode] {
        try enter(depth)
        var elements: [JSONNode] = []
        while try !closes(with: UInt8(ascii: "]"), isFirst: elements.isEmpty) {
            elements.append(try readValue(depth: depth + 1))
        }
        return elements
    }

    private mutating func enter(_ depth: Int) throws(JSONSyntaxError) {
        guard depth < Self.deepest else { throw failure("values are nested more than \(Self.deepest) levels deep") }
        position += 1
    }

    /// Skips the closing bracket or the comma before the next element. Returns whether it was the bracket.
    private mutating func closes(with bracket: UInt8, isFirst: Bool) throws(JSONSyntaxError) -> Bool {
        skipSpace()
        if peek == bracket {
            position += 1
            return true
        }
        if isFirst { return false }
        let closing = Character(Unicode.Scalar(bracket))
        guard peek == UInt8(ascii: ",") else { throw failure("a comma or \"\(closing)\" is expected here") }
        // Create the error only if needed, because creating it requires counting the columns of its line.
        let comma = (position, line, lineStart)
        position += 1
        skipSpace()
        guard peek == bracket else { return false }
        (position, line, lineStart) = comma
        throw failure("there is an extra comma before \"\(closing)\"")
    }

    private mutating func readWord(
        _ word: StaticString, _ value: JSONNode.Value
    ) throws(JSONSyntaxError) -> JSONNode.Value {
        let expected = word.withUTF8Buffer { Array($0) }
        guard bytes[position...].starts(with: expected) else {
            throw failure("a value is expected here; strings need double quotes")
        }
        position += expected.count
        return value
    }

    private mutating func readNumber() throws(JSONSyntaxError) -> Double {
        let start = position
        if peek == UInt8(ascii: "-") { position += 1 }
        let firstDigit = peek
        let whole = skipDigits()
        var isValid = whole > 0 && (whole == 1 || firstDigit != UInt8(ascii: "0"))
        if peek == UInt8(ascii: ".") {
            position += 1
            isValid = skipDigits() > 0 && isValid
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            isValid = skipDigits() > 0 && isValid
        }
        guard isValid, let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else {
            throw failure("this is not a valid number", at: start)
        }
        guard number.isFinite else { throw failure("this number is too large", at: start) }
        return number
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func readString() throws(JSONSyntaxError) -> String {
        let start = position
        position += 1
        // Most strings have no escapes; bytes up to the first escape or the end are copied unchanged.
        let plain = bytes[position...].prefix { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        position = plain.endIndex
        var text = Array(plain)
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw failure("this string is not valid UTF-8", at: start)
                }
                return string
            case UInt8(ascii: "\\"):
                text.append(contentsOf: Array(String(try readEscape()).utf8))
            case 0..<0x20:
                throw failure(
                    byte == 0x0A
                        ? "a string must end on the line where it begins" : "a string contains a control character")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw failure("this string has no closing quotation mark", at: start)
    }

    private mutating func readEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = position
        position += 1
        let letter = peek
        position += 1
        switch letter {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw failure("this escape sequence is unknown", at: start)
        }
        var code = try readCodeUnit(from: start)
        if (0xD800...0xDBFF).contains(code), bytes[min(position, bytes.count)...].starts(with: Array(#"\u"#.utf8)) {
            position += 2
            let low = try readCodeUnit(from: start)
            if (0xDC00...0xDFFF).contains(low) { code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw failure("this escape sequence does not represent a character", at: start)
        }
        return scalar
    }

    private mutating func readCodeUnit(from start: Int) throws(JSONSyntaxError) -> UInt32 {
        guard position + 4 <= bytes.count else { throw failure("this escape sequence is incomplete", at: start) }
        let digits = bytes[position..<position + 4]
        let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        guard isHexadecimal, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw failure("this escape sequence needs four hexadecimal digits", at: start)
        }
        position += 4
        return code
    }
}

/// A syntax error with its position and reason. Line and column numbers start at 1. Columns are counted in Unicode
/// scalars.
package struct JSONSyntaxError: Error, Equatable, Sendable {
    package let line: Int
    package let column: Int
    /// A clause without an initial capital or a final period, such as "a value is expected here".
    package let reason: String
}
