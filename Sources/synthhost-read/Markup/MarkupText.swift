import CSynthXML

/// Markup in UTF-8, the only encoding that is passed to libxml2. A different encoding, or a change of encoding within
/// the text, could hide markup from `TagScan`.
struct MarkupText {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        let isXML = bytes.prefix(64).drop { $0 <= 32 || $0 >= 0x80 }.starts(with: "<?xml".utf8)
        self.init(bytes, isXML: isXML)
    }

    init(_ bytes: [UInt8], isXML: Bool) {
        self.bytes = TextDecoding.utf8(bytes, isXML: isXML) { Self.declared(in: bytes) }
    }

    /// The text with HTML's named character references replaced, because an XML parser cannot resolve them without a
    /// DTD.
    var withoutNames: MarkupText {
        var text = self
        text.bytes = HTMLEntities.replaced(in: bytes)
        return text
    }

    /// Whether the text has an XML declaration or the XHTML namespace near its beginning.
    var claimsXML: Bool {
        let beginning = String(decoding: bytes.prefix(1024), as: UTF8.self)
        return beginning.contains("<?xml") || beginning.contains("http://www.w3.org/1999/xhtml")
    }

    /// The text without the contents of comments, scripts and styles, which are never read. Line numbers do not change.
    var withoutScripts: MarkupText {
        var text = self
        text.bytes = []
        text.bytes.reserveCapacity(bytes.count)
        var (walk, kept) = (MarkupWalk(bytes), 0)
        while let part = walk.next() {
            guard case .hidden(let range) = part else { continue }
            text.bytes += bytes[kept..<range.lowerBound]
            text.bytes += bytes[range].filter { $0 == UInt8(ascii: "\n") }
            kept = range.upperBound
        }
        text.bytes += bytes[kept...]
        return text
    }

    /// Returns the encodings that `<?xml … encoding=…?>` and `<meta …>` declare, in document order.
    private static func declared(in bytes: [UInt8]) -> [String] {
        var walk = MarkupWalk(bytes)
        var labels: [String] = []
        while labels.count < maximumLabels, let part = walk.next() {
            guard case .tag(let name, let attributes) = part else { continue }
            let value = name == "?xml" ? attributes["encoding"] : attributes["charset"] ?? contentType(attributes)
            if let label = value.map(label), !label.isEmpty { labels.append(label) }
        }
        return labels
    }

    private static let maximumLabels = 16

    /// Returns the charset in `content="text/html; charset=…"`. Requires `http-equiv` or a media type, because the
    /// `content` of other `meta` elements, such as a description, may also contain the word.
    private static func contentType(_ attributes: [String: String]) -> String? {
        guard let content = attributes["content"]?.lowercased(),
            attributes["http-equiv"] != nil || content.hasPrefix("text/") || content.hasPrefix("application/"),
            let found = content.firstRange(of: "charset")
        else { return nil }
        let rest = content[found.upperBound...].drop(while: \.isWhitespace)
        return rest.first == "=" ? String(rest.dropFirst()) : nil
    }

    private static func label(_ value: String) -> String {
        String(
            value.lowercased().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
                .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_:.".contains($0)) })
    }
}

/// HTML's named character references, which an XML parser cannot resolve without a DTD.
enum HTMLEntities {
    /// Returns UTF-8 text with each `&name;` replaced by its character, except for the five names that XML predefines.
    static func replaced(in bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "&")) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<mark]
            rest = rest[mark...]
            let name = rest.dropFirst().prefix(longestName + 1)
            guard name.first.map({ $0 == UInt8(ascii: "#") || isLetter($0) }) ?? false, name.contains(UInt8(ascii: ";"))
            else {
                // Escape a bare ampersand, which XML does not allow but which is common in titles.
                result += Array("&amp;".utf8)
                rest = rest.dropFirst()
                continue
            }
            guard let end = rest.prefix(longestName + 2).firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(named: rest[(mark + 1)..<end])
            else {
                result.append(UInt8(ascii: "&"))
                rest = rest.dropFirst()
                continue
            }
            result += Array(String(scalar).utf8)
            rest = rest[(end + 1)...]
        }
        return result + rest
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static let longestName = 32
    private static let ofXML: Set = ["amp", "lt", "gt", "quot", "apos"]

    private static func scalar(named name: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let name = String(decoding: name, as: UTF8.self)
        guard !ofXML.contains(name), !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else {
            return nil
        }
        let value = synth_html_entity(name)
        return value == 0 ? nil : Unicode.Scalar(value)
    }
}

/// Iterates over the tags in markup, whether or not it is well-formed. Does not search comments, scripts or styles for
/// tags.
struct MarkupWalk {
    enum Part {
        /// A start tag, or the XML declaration as `?xml`. Attributes are included only for `meta` and `?xml`, with
        /// lowercase names.
        case tag(String, [String: String])
        /// The content of a comment, script or style.
        case hidden(Range<Int>)
    }

    private let bytes: [UInt8]
    private var position = 0
    /// The script or style whose content follows.
    private var open: String?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the next part, or nil at the end or after an unterminated construct.
    mutating func next() -> Part? {
        if let name = open {
            open = nil
            return endTag(of: name).map { .hidden(skip(to: $0)) }
        }
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = start + 1
            if bytes[position...].starts(with: "!--".utf8) {
                position += 3
                return comment().map { .hidden(skip(to: $0)) }
            }
            let name = lowercased(take { $0.isNameByte || $0 == UInt8(ascii: "?") })
            guard !name.isEmpty else { continue }
            guard let attributes = attributes(keeping: name == "meta" || name == "?xml") else { return nil }
            let isClosed = bytes[position - 2] == UInt8(ascii: "/")
            if name == "script" || name == "style", !isClosed { open = name }
            return .tag(name, attributes)
        }
        return nil
    }

    private mutating func skip(to end: Int) -> Range<Int> {
        defer { position = end }
        return position..<end
    }

    private func comment() -> Int? {
        bytes[position...].indices.first {
            bytes[$0] == UInt8(ascii: "-") && bytes[$0...].starts(with: "-->".utf8)
        }
    }

    private func endTag(of name: String) -> Int? {
        bytes[position...].indices.first {
            bytes[$0] == UInt8(ascii: "<") && bytes[$0...].starts(with: "</".utf8)
                && lowercased(bytes[($0 + 2)...].prefix(name.utf8.count)) == name
        }
    }

    /// Reads to the end of a tag. Returns nil if the tag is not terminated.
    private mutating func attributes(keeping: Bool) -> [String: String]? {
        var found: [String: String] = [:]
        while true {
            _ = take { $0.isBlank || $0 == UInt8(ascii: "/") }
            guard let first = current else { return nil }
            if first == UInt8(ascii: ">") {
                position += 1
                return found
            }
            let start = position
            position += 1
            _ = take { !$0.isBlank && !"/>=".utf8.contains($0) }
            let name = start..<position
            _ = take { $0.isBlank }
            guard current == UInt8(ascii: "=") else { continue }
            position += 1
            _ = take { $0.isBlank }
            let value: ArraySlice<UInt8>
            if let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                position += 1
                value = take { $0 != quote }
                guard current != nil else { return nil }
                position += 1
            } else {
                value = take { !$0.isBlank && $0 != UInt8(ascii: ">") }
            }
            guard keeping, found.count < Self.maximumAttributes else { continue }
            let key = lowercased(bytes[name])
            if found[key] == nil { found[key] = String(decoding: value, as: UTF8.self) }
        }
    }

    private static let maximumAttributes = 32

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(while isIn: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = bytes[position...].prefix(while: isIn)
        position = taken.endIndex
        return taken
    }

    private func lowercased(_ name: ArraySlice<UInt8>) -> String { String(decoding: name, as: UTF8.self).lowercased() }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 32 || (9...13).contains(self) }
    fileprivate var isNameByte: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: ":")).contains(self) || self == UInt8(ascii: "-")
    }
}
