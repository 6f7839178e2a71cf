/// Steps through the tags of markup, well-formed or not, past comments and the content of scripts and styles.
struct MarkupWalk {
    enum Part {
        /// A start tag, or the declaration of XML as `?xml`. Only `meta` and `?xml` have their attributes, with names in lower case.
        case tag(String, [String: String])
        /// The content of a comment, a script or a style, which is never text.
        case hidden(Range<Int>)
    }

    private let bytes: [UInt8]
    private var place = 0
    /// The script or style whose content follows.
    private var open: String?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// nil = at the end, or after the beginning of something that has no end.
    mutating func next() -> Part? {
        if let name = open {
            open = nil
            return endTag(of: name).map { .hidden(skip(to: $0)) }
        }
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            place = start + 1
            if bytes[place...].starts(with: "!--".utf8) {
                place += 3
                return comment().map { .hidden(skip(to: $0)) }
            }
            let name = lowercased(take { $0.isNameByte || $0 == UInt8(ascii: "?") })
            guard !name.isEmpty else { continue }
            guard let attributes = attributes(keeping: name == "meta" || name == "?xml") else { return nil }
            let isClosed = bytes[place - 2] == UInt8(ascii: "/")
            if name == "script" || name == "style", !isClosed { open = name }
            return .tag(name, attributes)
        }
        return nil
    }

    private mutating func skip(to end: Int) -> Range<Int> {
        defer { place = end }
        return place..<end
    }

    private func comment() -> Int? {
        bytes[place...].indices.first {
            bytes[$0] == UInt8(ascii: "-") && bytes[$0...].starts(with: "-->".utf8)
        }
    }

    private func endTag(of name: String) -> Int? {
        bytes[place...].indices.first {
            bytes[$0] == UInt8(ascii: "<") && bytes[$0...].starts(with: "</".utf8)
                && lowercased(bytes[($0 + 2)...].prefix(name.utf8.count)) == name
        }
    }

    /// Reads to the end of a tag; nil = it has none.
    private mutating func attributes(keeping: Bool) -> [String: String]? {
        var found: [String: String] = [:]
        while true {
            _ = take { $0.isBlank || $0 == UInt8(ascii: "/") }
            guard let first = current else { return nil }
            if first == UInt8(ascii: ">") {
                place += 1
                return found
            }
            let start = place
            place += 1
            _ = take { !$0.isBlank && !"/>=".utf8.contains($0) }
            let name = start..<place
            _ = take { $0.isBlank }
            guard current == UInt8(ascii: "=") else { continue }
            place += 1
            _ = take { $0.isBlank }
            let value: ArraySlice<UInt8>
            if let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                place += 1
                value = take { $0 != quote }
                guard current != nil else { return nil }
                place += 1
            } else {
                value = take { !$0.isBlank && $0 != UInt8(ascii: ">") }
            }
            guard keeping, found.count < Self.mostAttributes else { continue }
            let key = lowercased(bytes[name])
            if found[key] == nil { found[key] = String(decoding: value, as: UTF8.self) }
        }
    }

    private static let mostAttributes = 32

    private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func take(while isIn: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = bytes[place...].prefix(while: isIn)
        place = taken.endIndex
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
