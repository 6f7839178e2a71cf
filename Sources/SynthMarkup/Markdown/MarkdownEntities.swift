/// Character references such as `&amp;` and `&#38;`. The library knows the names; it is asked once for each.
struct MarkdownEntities {
    /// HTML's longest name has 31 letters.
    private static let longest = 32

    private let library: MarkdownLibrary
    private var known: [[UInt8]: [UInt8]] = [:]

    init(_ library: MarkdownLibrary) { self.library = library }

    /// The end of the reference that begins at an ampersand, if the text goes on with what it stands for.
    ///
    /// - Returns: also, how many bytes of the text it stands for.
    mutating func reference(
        at index: Int, of bytes: [UInt8], as text: ArraySlice<UInt8>
    ) -> (end: Int, count: Int)? {
        guard let semicolon = bytes[index...].prefix(Self.longest + 2).firstIndex(of: UInt8(ascii: ";")) else {
            return nil
        }
        let name = bytes[index + 1..<semicolon]
        guard let first = name.first else { return nil }
        let meaning: [UInt8]?
        if first == UInt8(ascii: "#") {
            meaning = Self.character(name.dropFirst())
        } else {
            // What stands for itself is none, except for the reference to the ampersand.
            let isPlain = text.starts(with: bytes[index...semicolon])
            meaning =
                isPlain && String(decoding: name, as: UTF8.self).lowercased() != "amp" ? nil : self.meaning(of: name)
        }
        guard let meaning, text.starts(with: meaning) else { return nil }
        return (semicolon + 1, meaning.count)
    }

    private static func character(_ number: ArraySlice<UInt8>) -> [UInt8]? {
        let isHex = number.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let digits = String(decoding: isHex ? number.dropFirst() : number, as: UTF8.self)
        guard (1...8).contains(digits.utf8.count), digits.utf8.first != UInt8(ascii: "+"),
            let value = UInt32(digits, radix: isHex ? 16 : 10)
        else { return nil }
        let scalar = value == 0 ? nil : Unicode.Scalar(value)
        return Array(String(scalar ?? "\u{FFFD}").utf8)
    }

    private mutating func meaning(of name: ArraySlice<UInt8>) -> [UInt8]? {
        let isName = name.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        guard isName else { return nil }
        let name = Array(name)
        if let known = known[name] { return known.isEmpty ? nil : known }
        let reference = [UInt8(ascii: "&")] + name + [UInt8(ascii: ";")]
        var meaning: [UInt8] = []
        if let tree = library.parse(reference.span), let block = tree.firstChild(tree.root),
            let text = tree.firstChild(block)
        {
            meaning = tree.literal(text)
        }
        if meaning == reference { meaning = [] }
        known[name] = meaning
        return meaning.isEmpty ? nil : meaning
    }
}
