extension SentenceWords {
    /// Polish.
    static let polish = SentenceWords(
        titles: "np pw tzn tzw ul inż mgr tj dr hab prof m.in św Św pl lek ks bp abp gen płk kpt śp im wł",
        undecided: "itd itp godz zob tys mln mld szt sek woj os ww jw mies kw",
        undecidedEnds: "-pt -sob -nd -niedz",
        beforeNumbers: """
            rys str tab nr poz art ust pkt rozdz pon pn wt śr czw pt sob niedz nd ndz ok por maks ur zm sty lut kwi lip \
            wrz paź lis gru \
            par
            """,
        starters: """
            on ona ono oni one my wy ja ty to ten ta te ci ale i oraz lub albo bo więc gdy kiedy jeśli jeżeli \
            jak gdzie co kto dlaczego w we na do z ze po od dla przy przez pod nad nie tak już też także potem \
            teraz dziś dzisiaj wczoraj jutro tutaj tam jego jej ich nasz mój
            """,
        ordinalNouns: """
            stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
            """,
        ordinalLeaders: "lata latach")
}
