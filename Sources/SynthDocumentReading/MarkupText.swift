import CSynthXML
/// Markup as UTF-8, the only encoding that libxml2 gets. In another encoding, or in one that changes midway, markup could hide from
/// `TagScan`.
struct MarkupText {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        let isXML = bytes.prefix(64).drop { $0 <= 32 || $0 >= 0x80 }.starts(with: "<?xml".utf8)
        self.init(bytes, isXML: isXML)
    }

    init(_ bytes: [UInt8], isXML: Bool) {
        self.bytes = TextDecoding.utf8(bytes, isXML: isXML) { Self.declared(in: bytes) }
    }

    /// The same text with the named characters of HTML replaced, which an XML parser does not know without a DTD.
    var withoutNames: MarkupText {
        var text = self
        text.bytes = HTMLEntities.replaced(in: bytes)
        return text
    }

    /// Whether its beginning says that it is XML.
    var claimsXML: Bool {
        let beginning = String(decoding: bytes.prefix(1024), as: UTF8.self)
        return beginning.contains("<?xml") || beginning.contains("http://www.w3.org/1999/xhtml")
    }

    /// The same text without the content of comments, scripts and styles, which are not read. Line numbers stay the same.
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

    /// The first encodings that `<?xml … encoding=…?>` and `<meta …>` name.
    private static func declared(in bytes: [UInt8]) -> [String] {
        var walk = MarkupWalk(bytes)
        var labels: [String] = []
        while labels.count < mostLabels, let part = walk.next() {
            guard case .tag(let name, let attributes) = part else { continue }
            let value = name == "?xml" ? attributes["encoding"] : attributes["charset"] ?? contentType(attributes)
            if let label = value.map(label), !label.isEmpty { labels.append(label) }
        }
        return labels
    }

    private static let mostLabels = 16

    /// The charset in `content="text/html; charset=…"`. A description may contain these words, too.
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

/// The named characters of HTML, which an XML reader does not know without a DTD.
enum HTMLEntities {
    /// Returns the UTF-8 text with the characters instead of `&name;`, except the five names that XML itself has.
    static func replaced(in bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "&")) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<mark]
            rest = rest[mark...]
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
