import TestNumbers

/// Random well-formed scripts, with every element nested in every other element.
enum RandomSSML {
    private static let texts = [
        "a", "word", "New York", " ", "\n ", "é", "e\u{301}", "日本", "😀", "&amp;", "&#xe9;", "&#32;", "\u{2028}",
        "\u{A0}", ".",
        "<![CDATA[ x & y ]]>", "<!-- c -->", "<?i?>", "]]", "1",
    ]
    private static let single = [
        "<break/>", "<break strength='none'/>", "<break time='1s'/>", "<mark name='m'/>", "<sub alias='ab'/>", "<x/>",
        "<s/>",
        "<phoneme ph='&#x259;'/>", "<phoneme ph='a  b'></phoneme>", "<audio src='a'/>",
    ]
    private static let elements = [
        ("p", ""), ("s", ""), ("s", " xml:lang='de'"), ("prosody", " rate='fast'"), ("prosody", " pitch='high'"),
        ("prosody", " contour='(0%,+20Hz) (90%,x-low)' range='high'"), ("amazon:effect", " name='whispered'"),
        ("prosody", " volume='silent'"),
        ("voice", " name='V'"), ("sub", " alias='abcd'"), ("sub", " alias='&lt; x'"), ("sub", ""),
        ("say-as", " interpret-as='characters'"), ("phoneme", " ph='a'"), ("audio", " src='a'"), ("audio", ""),
        ("x", ""),
        ("desc", ""), ("emphasis", ""),
    ]

    static func make(with random: inout SeededRandom) -> String {
        var text = "<speak>"
        var open: [String] = []
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...4: text += texts.randomElement(using: &random) ?? ""
            case 5: text += single.randomElement(using: &random) ?? ""
            case 6, 7:
                guard let (name, attributes) = elements.randomElement(using: &random) else { break }
                text += "<\(name)\(attributes)>"
                open.append(name)
            default: if let name = open.popLast() { text += "</\(name)>" }
            }
        }
        return text + open.reversed().map { "</\($0)>" }.joined() + "</speak>"
    }
}
