import TestNumbers

/// Damages documents in ways that often break parsers.
enum ScriptMutation {
    private static let pieces = [
        "<", ">", "/>", "</", "&", "&amp;", "&#x41;", ";", "\"", "'", "=", "]]>", "<![CDATA[", "<!--", "-->", "<?",
        "?>", " ",
        "\n", "\u{2028}", "é", "😀", "\u{301}", "\u{0}", "[", "]", "[[", "\\", "*", "#", "`", "</p>", "<s>",
        "<sub alias='ab'>",
        "<phoneme ph='a'>", "<say-as interpret-as='characters'>", "<audio src='a'>",
    ]

    /// `first` with up to four changes, some of which insert ranges of `second`.
    static func damage(_ first: [UInt8], with second: [UInt8], using random: inout SeededRandom) -> [UInt8] {
        var document = first
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...document.count, using: &random)
            let length = min(Int.random(in: 0...12, using: &random), document.count - place)
            let range = place..<place + length
            switch Int.random(in: 0..<5, using: &random) {
            case 0: document.removeSubrange(range)
            case 1: document.insert(contentsOf: document[range], at: Int.random(in: 0...document.count, using: &random))
            case 2: document.replaceSubrange(range, with: Array((pieces.randomElement(using: &random) ?? "").utf8))
            case 3:
                let start = Int.random(in: 0...second.count, using: &random)
                document.insert(contentsOf: second[start..<min(second.count, start + 40)], at: place)
            default: document.insert(UInt8.random(in: 0...255, using: &random), at: place)
            }
        }
        return document
    }
}
