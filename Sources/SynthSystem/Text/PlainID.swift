/// The shared rules for ids of engines, recognizers, voices, models, sources and list entries. An ID becomes a file or
/// folder name, possibly on another system, and is typed on command lines.
package enum PlainID {
    /// The maximum length in bytes.
    package static let longest = 200

    /// Why text is not a valid ID.
    package enum Flaw: Equatable, Sendable {
        case empty
        case tooLong(most: Int)
        case leadingDash
        case leadingDot
        case trailingDot
        /// A Windows device name, in capitals.
        case reserved(String)
        case characters
    }

    /// Returns nil if the text is a valid ID.
    ///
    /// - Parameters:
    ///   - longest: the maximum length in bytes.
    ///   - allows: the permitted characters. Even if these include dashes and dots, an ID must not begin with a dash or
    ///     a dot, or end with a dot.
    package static func flaw(
        of id: String, longest: Int = longest, allows: (Unicode.Scalar) -> Bool = isPlain
    ) -> Flaw? {
        if id.isEmpty { return .empty }
        if id.utf8.count > longest { return .tooLong(most: longest) }
        if !id.unicodeScalars.allSatisfy(allows) { return .characters }
        if id.utf8.first == UInt8(ascii: "-") { return .leadingDash }
        if id.utf8.first == UInt8(ascii: ".") { return .leadingDot }
        if id.utf8.last == UInt8(ascii: ".") { return .trailingDot }
        let stem = id.prefix { $0 != "." }.uppercased()
        return isDevice(stem) ? .reserved(stem) : nil
    }

    /// Returns the ID in lowercase. IDs that differ only in case would share a folder on a case-insensitive file
    /// system.
    package static func folded(_ id: String) -> String { id.lowercased() }

    /// `[A-Za-z0-9._+-]`
    package static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "+", "-": true
        default: false
        }
    }

    /// Whether Windows would open a device instead of a file with this name, regardless of its extension.
    private static func isDevice(_ stem: String) -> Bool {
        if ["CON", "PRN", "AUX", "NUL"].contains(stem) { return true }
        guard stem.utf8.count == 4, stem.hasPrefix("COM") || stem.hasPrefix("LPT") else { return false }
        return stem.utf8.last.map { (0x31...0x39).contains($0) } ?? false
    }
}

extension PlainID.Flaw {
    /// The violated rule, as a clause.
    package var rule: String {
        switch self {
        case .empty: "an ID must not be empty"
        case .tooLong(let most): "an ID must not be longer than \(most) bytes"
        case .leadingDash: "an ID must not begin with \"-\", because commands would treat the ID as an option"
        case .leadingDot: "an ID must not begin with \".\", because such files are hidden"
        case .trailingDot: "an ID must not end with \".\", because Windows removes it from file names"
        case .reserved(let name):
            "an ID must not be \"\(name)\", with or without an extension, because Windows reserves that name"
        case .characters: "an ID may contain only letters, digits and . _ + -"
        }
    }
}

/// A non-cryptographic hash of content (FNV-1a, 64 bits). The hash does not protect against crafted collisions.
package struct ContentHash: Equatable, Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init(_ bytes: some Sequence<UInt8> = []) { add(bytes) }

    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// The hash as 16 hexadecimal digits.
    package var hexadecimal: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
