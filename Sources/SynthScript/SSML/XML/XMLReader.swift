import SynthSystem

/// Reads a well-formed UTF-8 XML 1.0 document token by token. Markup declarations are rejected, and only the five
/// predefined entities are supported.
///
/// The position never moves backward, so reading takes linear time. Holds only the names of open elements and the
/// attributes of one tag. Every error has a position. The reader must not be used after an error. Never blocks.
struct XMLReader {
    /// The maximum nesting depth of elements.
    static let deepest = 64
    /// The maximum length of an element or attribute name in bytes.
    static let longestName = 256
    static let maximumAttributes = 32

    let bytes: [UInt8]
    /// The required name of the root element.
    let root: String
    /// The next byte to read.
    var position = 0
    /// The number of bytes examined, including repeated reads: a machine-independent measure of the work done.
    var work = 0
    /// The names of the open elements, including prefixes.
    var open: [Range<Int>] = []
    var hasRoot = false
    var hasDocumentType = false
    /// Whether the end of an empty-element tag has not been reported yet.
    var isEndDue = false

    init(_ document: [UInt8], root: String) throws(ScriptError) {
        bytes = document
        self.root = root
        try XMLCharacters.check(document.span)
        work = 2 * document.count
        if matches("\u{FEFF}") { position = 3 }
        try readDeclaration()
    }

    /// Returns the next token, or nil at the end of the document.
    mutating func next() throws(ScriptError) -> XMLToken? {
        if isEndDue {
            isEndDue = false
            open.removeLast()
            return .end(source: position..<position)
        }
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<") {
                if let token = try readMarkup() { return token }
            } else if open.isEmpty {
                guard skipSpace() else {
                    throw failure(hasRoot ? .unexpected(word(at: position)) : .expected("<\(root)>"), at: position)
                }
            } else if bytes[position] == UInt8(ascii: "&") {
                let (scalar, source) = try readReference()
                return .reference(scalar, source: source)
            } else {
                return .characters(try readCharacters())
            }
        }
        if let name = open.last { throw failure(.expected("</\(text(name))>"), at: position) }
        guard hasRoot else { throw failure(.expected("<\(root)>"), at: position) }
        return nil
    }

    private mutating func readCharacters() throws(ScriptError) -> Range<Int> {
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") { break }
            if byte == UInt8(ascii: ">"), position - start >= 2, bytes[position - 1] == UInt8(ascii: "]"),
                bytes[position - 2] == UInt8(ascii: "]")
            {
                throw failure(.unexpected("]]>"), at: position - 2)
            }
            position += 1
        }
        work += position - start
        return start..<position
    }

    /// Skips white space. Returns false if there is none.
    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, XMLCharacters.isSpace(bytes[position]) { position += 1 }
        work += position - start + 1
        return position > start
    }

    /// Reads a name. Returns nil if there is none.
    mutating func readName() throws(ScriptError) -> Range<Int>? {
        let start = position
        while position < bytes.count {
            let (value, length) = UTF8Cursor.scalar(at: position, in: bytes.span)
            let belongs =
                position == start ? XMLCharacters.startsName(value) : XMLCharacters.continuesName(value)
            guard belongs else { break }
            position += length
            guard position - start <= Self.longestName else {
                throw failure(.tooLong(limit: Self.longestName), at: start)
            }
        }
        work += position - start + 1
        return position > start ? start..<position : nil
    }

    /// Reads up to and including `mark`, and returns the range before it.
    mutating func readUntil(_ mark: StaticString) throws(ScriptError) -> Range<Int> {
        let start = position
        while position < bytes.count {
            if matches(mark) {
                work += 2 * (position - start)
                defer { position += mark.utf8CodeUnitCount }
                return start..<position
            }
            position += 1
        }
        throw failure(.expected(mark.description), at: position)
    }

    func matches(_ mark: StaticString) -> Bool {
        guard bytes.count - position >= mark.utf8CodeUnitCount else { return false }
        return mark.withUTF8Buffer { mark in
            for (offset, byte) in mark.enumerated() where bytes[position + offset] != byte { return false }
            return true
        }
    }

    /// Consumes `mark` if it is next in the document. Otherwise, returns false.
    mutating func take(_ mark: StaticString) -> Bool {
        guard matches(mark) else { return false }
        position += mark.utf8CodeUnitCount
        return true
    }

    func failure(_ reason: ScriptError.Reason, at offset: Int) -> ScriptError {
        ScriptError(reason, at: ScriptPosition(of: offset, in: bytes.span))
    }

    func text(_ range: Range<Int>) -> String {
        UTF8Cursor.string(range, of: bytes.span)
    }

    /// Returns the character at a position, for error messages.
    func word(at offset: Int) -> String {
        guard offset < bytes.count else { return "" }
        return text(offset..<offset + UTF8Cursor.length(ofLead: bytes[offset]))
    }
}

extension XMLReader {
    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    /// Reads a reference, such as `&name;`, `&#10;` or `&#xA;`.
    mutating func readReference() throws(ScriptError) -> (scalar: Unicode.Scalar, source: Range<Int>) {
        let start = position
        position += 1
        let isNumber = take("#")
        let scalar: Unicode.Scalar?
        if isNumber {
            scalar = try readNumber(of: start)
        } else {
            guard let name = try readName() else { throw failure(.unexpected("&"), at: start) }
            scalar = Self.entities[text(name)]
        }
        try pass(";")
        guard let scalar else {
            let written = text(start..<min(position, start + 32))
            throw failure(isNumber ? .unexpected(written) : .refused(written), at: start)
        }
        return (scalar, start..<position)
    }

    /// Reads the digits of a reference that starts at `start`. Returns nil if XML does not allow the character.
    private mutating func readNumber(of start: Int) throws(ScriptError) -> Unicode.Scalar? {
        let isHex = take("x")
        let first = position
        var value: UInt32 = 0
        while position < bytes.count, let digit = bytes[position].hexadecimalDigit, isHex || digit < 10 {
            // Stop accumulating above the highest code point, because more digits cannot make the value valid.
            if value <= 0x10FFFF { value = value * (isHex ? 16 : 10) + UInt32(digit) }
            position += 1
        }
        work += position - first
        guard position > first else { throw failure(.unexpected("&#"), at: start) }
        return XMLCharacters.isAllowed(value) ? Unicode.Scalar(value) : nil
    }
}

/// A token of an XML document. Comments and processing instructions are skipped.
enum XMLToken {
    case start(XMLTag)
    /// The end of an element. After an empty-element tag, its range is empty.
    case end(source: Range<Int>)
    /// Literal document bytes, including CDATA content. Not empty.
    case characters(Range<Int>)
    /// A character that is written as a reference.
    case reference(Unicode.Scalar, source: Range<Int>)
}

/// The start of an element.
struct XMLTag {
    /// The name without its namespace prefix.
    let name: String
    let attributes: [XMLAttribute]
    let source: Range<Int>

    /// Returns the attribute with this name, which must include the prefix.
    func attribute(_ name: String) -> XMLAttribute? {
        attributes.first { $0.name == name }
    }
}

struct XMLAttribute {
    /// The name with its prefix, such as `xml:lang`.
    let name: String
    /// The value, with references resolved and white space characters replaced with spaces.
    let value: String
    /// The range of the value without its quotes.
    let source: Range<Int>
}
