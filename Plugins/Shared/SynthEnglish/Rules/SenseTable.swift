/// The conditions under which a heteronym has a certain pronunciation. The first rule that matches a word applies.
struct SenseRule: Sendable {
    /// Penn tag prefixes, one of which must match the word's tag. An empty array matches any tag.
    var tags: [String] = []
    /// One of these words must be nearby.
    var near: Set<String> = []
    /// One of these words must be the previous word.
    var before: Set<String> = []
    /// One of these words must be the next word.
    var after: Set<String> = []
    /// The part of speech that selects a listed reading.
    var tag = ""
    /// The American and British phonemes, if the word list does not contain this reading.
    var sounds: [Sounds]?

    func fits(_ context: Senses.Context) -> Bool {
        (tags.isEmpty || tags.contains { context.tag(0).hasPrefix($0) })
            && (before.isEmpty || before.contains(context.word(-1)))
            && (after.isEmpty || after.contains(context.word(1))) && (near.isEmpty || context.isNear(near))
    }
}

enum SenseTable {
    /// The rules, keyed by word.
    static let rules: [String: [SenseRule]] = {
        var table: [String: [SenseRule]] = [:]
        for (words, rules) in rows {
            for word in words.split(separator: " ") { table[String(word), default: []] += rules }
        }
        return table
    }()

    private static func set(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }

    private static func rule(
        _ tags: String = "", near: String = "", before: String = "", after: String = "", as tag: String = "",
        says sounds: String = ""
    ) -> SenseRule {
        SenseRule(
            tags: tags.split(separator: " ").map(String.init), near: set(near), before: set(before), after: set(after),
            tag: tag,
            sounds: sounds.isEmpty ? nil : sounds.split(separator: " ").map { Array($0.unicodeScalars) })
    }

    private static let metal = """
        pipe pipes paint metal metals zinc copper tin iron mercury arsenic cadmium poisoning poisoned poison \
        toxic traces bullet bullets pencil pencils roof roofs battery batteries acid solder crystal contaminated \
        contamination ore mine mines alloy weights melted molten gasoline petrol unleaded dust exposure ingots \
        shot plumbing heavy silver gold pounds balloon sheet lined soft
        """
    private static let music = """
        turn volume treble headphones guitar guitars guitarist player players drum drums drummer line lines music \
        musician band clef singer voice voices jazz notes note treble song songs amp amplifier play plays playing \
        played double speaker speakers sound concert orchestra tenor baritone soprano alto vocals rock beat tuned \
        solo keyboard piano sing sings sang deep loud clarinet strings
        """
    private static let fish = """
        fish fishing fished fisherman lake river pond caught catch bait striped largemouth smallmouth sea trout \
        perch salmon grilled fillet angler anglers boat hook
        """
    private static let ship = """
        ship boat vessel hull stern deck sailor sailors anchor canoe ferry yacht port starboard captain waves \
        mast crew
        """
    private static let stage = """
        actor actors actress audience curtain performers performer applause stage encore conductor cast singer \
        take takes took taking taken final deep low polite slight queen king respect
        """
    private static let small = """
        traces trace amount amounts quantity quantities detail details particle particles difference differences \
        fraction fractions change changes crack cracks speck specks hole holes scale inspection examination \
        fragments fragment creatures organisms grains proportion proportions doses dose variations errors \
        crystals drops droplets portion print insects insect
        """
    private static let degree =
        "are is was were be been very so extremely how too most more almost incredibly seem seems seemed"

    private static let shown =
        "shown broadcast broadcasting aired streamed streaming performed performing perform recorded appear"
    private static let torn = "muscle ligament tendon cartilage fabric cuff meniscus rotator"
    private static let strings = "violin cello fiddle viola strings"

    private static let rows: [(words: String, rules: [SenseRule])] = [
        (
            "lead",
            [
                rule(after: "paint paints pipe pipes poisoning", says: "lˈɛd lˈɛd"),
                rule("NN JJ", near: metal, says: "lˈɛd lˈɛd"),
                rule("NN JJ", before: "of", after: ". , ;", says: "lˈɛd lˈɛd"),
            ]
        ),
        ("wind", [rule("NN", before: "to", as: "VB"), rule("NN VB", after: "up", as: "VB")]),
        (
            "tear",
            [
                rule("NN", after: "in through along of across", as: "VB"),
                rule("NN", before: "and", as: "VB"),
                rule(
                    "NN",
                    near:
                        torn + " jacket sail sleeve trousers knee shoulder skirt",
                    as: "VB"),
            ]
        ),
        (
            "tears",
            [rule("NN", near: torn, as: "VB")]
        ),
        (
            "minute",
            [
                rule(after: small, as: "JJ"),
                rule(before: degree, after: ". , ; ! ? and but compared", as: "JJ"),
            ]
        ),
        (
            "bow",
            [
                rule(
                    near:
                        strings + " arrow arrows archer archers hair ribbon string tie tied knot hunter",
                    as: "NN"),
                rule("NN", near: stage, as: "VB"), rule("NN", near: ship, as: "VB"),
                rule(after: "to before down out deeply low his her their your", as: "VB"),
            ]
        ),
        (
            "bows",
            [
                rule("NN", near: "actor actors audience curtain applause", as: "VB"),
                rule("NN", near: "ship boat", as: "VB"),
            ]
        ),
        ("bowed", [rule(near: strings + " legs", says: "bˈOd bˈQd"), rule(says: "bˈWd bˈWd")]),
        ("bowing", [rule(near: strings, says: "bˈOɪŋ bˈQɪŋ"), rule(says: "bˈWɪŋ bˈWɪŋ")]),
        (
            "bass",
            [
                rule(after: "guitar player line lines drum clef", as: "JJ"), rule(near: fish, as: "NN"),
                rule(near: music, as: "JJ"),
            ]
        ),
        (
            "content",
            [
                rule(after: "with", as: "JJ"), rule("VB JJ", as: "JJ"),
                rule(
                    before: "quite perfectly am 'm feel felt feels seemed seem seems look looks looked not",
                    after: "to . , ; and",
                    as: "JJ"),
            ]
        ),
        ("desert deserts", [rule(before: "just", after: ". , ; !", as: "VB")]),
        ("resume", [rule("NN", says: "ɹˈɛzəmˌA ɹˈɛzjʊmA")]),
        ("resumes", [rule("NNS", says: "ɹˈɛzəmˌAz ɹˈɛzjʊmAz")]),
        ("row", [rule("NN", near: "blazing argument quarrel furious flaming erupted", says: "ɹˈW ɹˈW")]),
        (
            "learned",
            [
                rule(
                    before: "the a my his her most very",
                    after: "man men woman scholar scholars professor friend colleague society journal", as: "JJ")
            ]
        ),
        ("does", [rule("NNS", says: "dˈOz dˈQz")]),
        ("close", [rule(before: "is are was were so too very stay stayed come came get got", after: "to", as: "JJ")]),
        ("use", [rule(before: "of no any in", after: "? . , ;", as: "NN")]),
        ("live", [rule(before: shown, as: "JJ")]),
        ("nice", [rule("NNP", before: "in to from near of", says: "nˈis nˈiːs")]),
    ]
}
