import SynthSystem

/// The rules for names of files and folders in the store.
package enum FileName {
    static let longestInBytes = 200

    // Names that the store reserves; voice files must not use them.
    package static let partSuffix = ".part"
    package static let tagSuffix = ".part.tag"
    package static let unpackedSuffix = ".unpacked"
    package static let recordName = "installed.json"

    /// Whether a name is a single path component that stays in its folder and is not reserved by the store.
    package static func isSafe(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= longestInBytes && !name.hasPrefix(".")
            && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f && $0 != 0x2f }
            && !name.hasSuffix(partSuffix) && !name.hasSuffix(unpackedSuffix)
            && !name.hasSuffix(tagSuffix) && name != recordName
    }

    /// Whether the text is a valid ID; see `PlainID`.
    package static func isID(_ id: String) -> Bool { PlainID.flaw(of: id) == nil }

    /// Whether the text is a valid role name: `[a-z0-9-]+`.
    package static func isRole(_ role: String) -> Bool {
        !role.isEmpty && role.utf8.count <= 64
            && role.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d }
    }

    /// Whether a path is relative and all its components are safe names.
    package static func isSafePath(_ path: String) -> Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= 255
                && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        }
    }
}

/// The rules for names that users choose: a line of text that is safe in lists and on command lines.
package enum UserChosenName {
    /// The maximum length in UTF-8 bytes.
    package static let longest = 200

    /// The rule, phrased to follow "must be".
    package static let expectation =
        "a single line of text of at most \(longest) bytes, without control characters or a leading dash"

    package static func isAllowed(_ name: String) -> Bool {
        // A name that begins with a dash would be read as an option.
        name.utf8.count <= longest && name.contains { !$0.isWhitespace } && !name.hasPrefix("-") && isOneLine(name)
    }

    /// Whether the text is a single line without control characters.
    package static func isOneLine(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isForbidden) }

    /// Characters that break a line, control a terminal or change the reading direction. Joiners are allowed, because some scripts need
    /// them within words.
    package static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }
}

/// The IDs in registries, no two of which may differ only in case.
struct RegistryIDs {
    private var places: [String: (id: String, file: String, line: Int?)] = [:]

    /// Adds an ID. Returns an earlier id that differs only in case, with its location; nil if there is none.
    mutating func add(_ id: String, file: String, line: Int?) -> (id: String, file: String, line: Int?)? {
        guard let known = places.updateValue((id, file, line), forKey: PlainID.folded(id)), known.id != id else {
            return nil
        }
        return known
    }
}
