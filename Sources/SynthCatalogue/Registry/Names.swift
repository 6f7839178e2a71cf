import SynthSystem

/// The rules for names of files and folders in the store.
package enum FileName {
    static let longestInBytes = 200

    // Names that the store uses itself, which no file of a voice may have.
    package static let partSuffix = ".part"
    package static let tagSuffix = ".part.tag"
    package static let unpackedSuffix = ".unpacked"
    package static let recordName = "installed.json"

    /// Whether a name is one path component that cannot leave its folder and is none of the store's own names.
    package static func isSafe(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= longestInBytes && !name.hasPrefix(".")
            && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f && $0 != 0x2f }
            && !name.hasSuffix(partSuffix) && !name.hasSuffix(unpackedSuffix)
            && !name.hasSuffix(tagSuffix) && name != recordName
    }

    /// See `PlainID`.
    package static func isID(_ id: String) -> Bool { PlainID.flaw(of: id) == nil }

    /// A role: `[a-z0-9-]+`, as an engine names it.
    package static func isRole(_ role: String) -> Bool {
        !role.isEmpty && role.utf8.count <= 64
            && role.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d }
    }

    /// A relative path whose every component is a plain name.
    package static func isSafePath(_ path: String) -> Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= 255
                && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        }
    }
}

/// The rules for names that users give: a line of text that is safe in lists and on command lines.
package enum GivenName {
    /// In bytes of UTF-8.
    package static let longest = 200

    /// The rule, phrased to follow "must be".
    package static let expectation =
        "one line of text with at most \(longest) bytes, without control characters or a leading dash"

    package static func isAllowed(_ name: String) -> Bool {
        // A name that begins with a dash would be read as an option.
        name.utf8.count <= longest && name.contains { !$0.isWhitespace } && !name.hasPrefix("-") && isOneLine(name)
    }

    /// Whether a text is one line without control characters.
    package static func isOneLine(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isForbidden) }

    /// Characters that break a line, steer a terminal or change the reading direction. Joiners are part of words in
    /// some scripts.
    package static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }
}

/// The ids of registries, of which no two may differ by case only.
struct RegistryIDs {
    private var places: [String: (id: String, file: String, line: Int?)] = [:]

    /// Returns an earlier id that differs by case only, and where it is; nil if there is none.
    mutating func add(_ id: String, file: String, line: Int?) -> (id: String, file: String, line: Int?)? {
        guard let known = places.updateValue((id, file, line), forKey: PlainID.folded(id)), known.id != id else {
            return nil
        }
        return known
    }
}
