extension SentenceWords {
    /// Dutch.
    static let dutch = SentenceWords(
        titles: """
            dhr mevr mw drs mr bijv m.b.t bv i.v.m t.a.v m.a.w d.w.z o.a a.u.b e.a t.o.v ds zgn evt \
            ing
            """,
        undecided: "enz e.d n.v b.v pers p.p j.l jl p.st verd kw",
        beforeNumbers: "blz art hfst nr afb nrs dl mrt ma di wo vr za zo temp",
        starters: """
            de het een hij zij ze wij we ik jij je u jullie dit dat deze die en maar of want dan als toen omdat \
            hoewel er hier daar nu in op aan bij met voor na van uit over onder naar door om te niet geen ook \
            nog al wel wat wie waar waarom hoe mijn zijn haar ons onze hun vandaag gisteren morgen later daarna
            """,
        ordinalNouns: "januari februari")
}
