import CSynthXML

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
