/// BCP 47 tags, with hyphens or underscores between their parts.
package enum LanguageTag {
    /// The language without a script or region, in lowercase: "en" for "en_GB".
    package static func primary(_ tag: String) -> String { tag.prefix { $0 != "-" && $0 != "_" }.lowercased() }

    /// Returns a tag with hyphens, such as "en-US" for "en_US", or nil if the text is not a language tag.
    package static func normalized(_ tag: some StringProtocol) -> String? {
        let parts = tag.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        let isTag = parts.enumerated().allSatisfy { index, part in
            (index == 0 ? 2...3 : 1...8).contains(part.utf8.count)
                && part.utf8.allSatisfy { byte in
                    (0x61...0x7A).contains(byte | 0x20) || index > 0 && (0x30...0x39).contains(byte)
                }
        }
        return isTag ? parts.joined(separator: "-") : nil
    }
}
