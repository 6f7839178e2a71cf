/// Words whose full stop does not end a sentence, in lower case and without the stop. For several languages at once,
/// because the language of a text is often unknown or mixed.
enum Abbreviations {
    /// Never at the end of a sentence.
    static let titles: Set<String> = [
        "dr", "mr", "mrs", "ms", "mx", "prof", "rev", "fr", "hon", "gen", "lt", "col", "maj", "capt", "cpt", "sgt",
        "cmdr",
        "adm", "gov", "sen", "rep", "pres", "supt", "messrs", "mt",
        "e.g", "eg", "i.e", "ie", "vs", "viz", "cf", "ca", "approx", "esp", "incl", "resp",
        // German
        "hr", "hrn", "fam", "dipl", "ing", "univ", "bzgl", "bzw", "evtl", "ggf", "inkl", "exkl", "sog", "vgl", "zzgl",
        "z.b", "z.t", "z.zt", "d.h", "d.i", "u.a", "u.u", "m.e", "i.d.r", "o.g", "s.o", "s.u", "v.a", "o.ä", "geb",
        "gest",
        "mio", "mrd", "tel", "allg", "einschl", "urspr",
        // French, Spanish, Italian, Portuguese
        "mme", "mlle", "p.ex", "c.-à-d", "env", "sr", "sra", "srta", "sres", "dra", "dña", "ud",
        "uds", "vd", "vds", "p.ej", "sig", "sigg", "dott", "dott.ssa", "avv", "exmo", "exma",
        // Dutch, Polish, Czech, Scandinavian
        "dhr", "mevr", "mw", "bijv", "m.b.t", "bv", "np", "tzn", "tzw", "ul", "inż", "mgr", "tj", "např", "bl.a",
        "f.eks",
        "t.ex", "dvs",
        // Russian
        "ул", "т.е", "т.н", "т.к", "акад", "проф", "тов", "напр",
    ]

    /// Followed by a name or a new sentence: the next word decides.
    static let undecided: Set<String> = [
        "inc", "ltd", "co", "corp", "bros", "jr", "st", "ave", "blvd", "rd", "dept", "est", "assn", "al", "ft", "sto",
        "sta",
        "гр", "см", "ср", "св",
    ]

    /// Abbreviations before a number, else ordinary words ("No. 5", but "No. I stay.").
    static let beforeNumbers: Set<String> = [
        "no", "nos", "nr", "nrn", "num", "núm", "nº", "vol", "vols", "fig", "figs", "abb", "tab", "kap", "chap", "ch",
        "sec",
        "sect", "art", "abs", "par", "eq", "ex", "bd", "bde", "p", "pp", "pg", "pág", "págs", "s", "ss", "st", "str",
        "л", "рис",
        "стр", "гл", "табл", "тел", "jan", "feb", "febr", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct",
        "okt", "nov",
        "dec", "dez", "janv", "févr", "juil", "déc", "ene", "abr", "ago", "dic", "янв", "фев", "авг", "сент", "окт",
        "нояб",
        "дек",
    ]

    /// Words that start a sentence rather than continue a name.
    static let sentenceStarters: Set<String> = [
        "the", "a", "an", "he", "she", "it", "we", "they", "you", "i", "his", "her", "its", "our", "their", "my",
        "your",
        "this", "that", "these", "those", "there", "here", "then", "but", "and", "or", "so", "if", "when", "while",
        "where",
        "what", "who", "why", "how", "in", "on", "at", "as", "for", "from", "after", "before", "because", "since",
        "however",
        "some", "many", "most", "all", "no", "yes", "not", "now", "to", "with", "is", "are", "was", "do", "did", "does",
        "let",
        "der", "die", "das", "ein", "eine", "er", "sie", "es", "wir", "ihr", "ich", "du", "und", "aber", "oder", "denn",
        "dann",
        "dies", "diese", "dieser", "dieses", "wenn", "als", "auch", "nach", "vor", "mit", "so", "doch", "da", "hier",
        "jetzt",
        "le", "la", "les", "un", "une", "il", "elle", "ils", "elles", "nous", "vous", "je", "tu", "ce", "cette", "mais",
        "et",
        "el", "los", "las", "una", "ella", "ellos", "nosotros", "yo", "pero", "este", "esta", "él",
        "он", "она", "оно", "они", "мы", "вы", "я", "ты", "это", "но", "а", "и", "в", "на", "если", "когда", "так",
    ]

    /// Nouns after a number with a full stop that make it an ordinal, as in German "19. Jahrhundert".
    static let ordinalNouns: Set<String> = [
        "januar", "jänner", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
        "november",
        "dezember", "jahrhundert", "jahrhunderts", "jahrtausend", "weltkrieg", "weltkriegs", "kapitel", "klasse",
        "etage",
        "stock", "geburtstag", "tag", "mal", "platz", "auflage", "liga", "bezirk", "januari", "februari", "marts",
        "maj",
    ]

    /// Words before a number that make it an ordinal, as in German "am 3. Mai".
    static let ordinalLeaders: Set<String> = [
        "am", "im", "vom", "zum", "zur", "beim", "der", "den", "dem", "des", "das", "die", "bis", "ab", "seit", "ins",
        "jeder", "jeden", "sein", "seinen", "ihren", "unser",
    ]
}
