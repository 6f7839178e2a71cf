/// Tags that refer to the same language: a macrolanguage and the variety that it usually refers to, or an obsolete tag
/// and its replacement.
///
/// The data is from the BCP 47 subtag registry (fields `Macrolanguage` and `Preferred-Value`) and from the macrolanguages of
/// ISO 639-3.
package enum RelatedLanguages {
    /// Each string lists the tags of one language. If there are voices for two of these tags, the earlier tag is
    /// preferred.
    private static let groups = [
        "zh cmn zh-cmn", "yue zh-yue", "hak zh-hakka zh-hak", "no nb nn", "ar arb", "az azj", "et ekk", "fa pes prs",
        "fil tl", "gn gug", "he iw", "id in", "jv jw", "kok knn gom", "ku kmr", "lv lvs", "mg plt", "mn khk", "ms zsm",
        "ne npi", "om gaz", "or ory", "ps pbu", "ro mo", "sq als", "sr hbs sh", "hr hbs sh", "bs hbs sh", "sw swh",
        "uz uzn", "yi ji ydd",
    ].map { $0.split(separator: " ").map(String.init) }

    private static let groupsOfTag = groups.reduce(into: [String: [[String]]]()) { table, group in
        for tag in group { table[tag, default: []].append(group) }
    }

    /// Regions in which spoken Chinese is usually Cantonese.
    private static let cantoneseRegions: Set<Substring> = ["hk", "mo"]

    /// Whether two BCP 47 tags refer to the same language, regardless of region.
    package static func areSame(_ first: String, _ second: String) -> Bool {
        let (first, second) = (language(of: first), language(of: second))
        return first == second || tags(for: first).contains(second)
    }

    private static func language(of tag: String) -> String {
        let parts = VoiceMatch.folded(tag).split(separator: "-")
        let whole = parts.prefix(2).joined(separator: "-")
        // "zh-yue" is a language tag with two subtags.
        return groupsOfTag[whole] == nil ? parts.first.map(String.init) ?? "" : whole
    }

    /// The equivalent tags for a tag's language, with the preferred tag first, each followed by the remaining subtags.
    ///
    /// - Parameter tag: in lowercase, with hyphens.
    package static func tags(for tag: String) -> [String] {
        let parts = tag.split(separator: "-")
        var found: [String] = []
        if parts.first == "zh", parts.dropFirst().contains(where: cantoneseRegions.contains) { found.append("yue") }
        for count in [2, 1] where parts.count >= count {
            let language = parts.prefix(count).joined(separator: "-")
            let rest = parts.dropFirst(count).map { "-" + $0 }.joined()
            for group in groupsOfTag[language] ?? [] {
                found += group.filter { $0 != language }.map { $0 + rest }
            }
        }
        return found
    }
}
