extension SentenceWords {
    /// Italian.
    static let italian = SentenceWords(
        titles: """
            sig sigg sig.ra sig.na dott dott.ssa prof.ssa avv geom mons p.es cfr \
            egr spett gent.mo gent.ma spett.le
            """,
        undecided: "ecc s.p.a s.r.l mln mld pers segg cell trim",
        undecidedEnds: "-ven -sab -dom",
        beforeNumbers: "pag pagg cap gen mag giu lug ago ott dic art num lun gio ven sab dom sett es artt",
        starters: """
            il lo la i gli le un uno una lui lei loro noi voi io tu egli ella essi ma e ed o se quando mentre \
            dove come perché che chi cosa in nel nella nei con su per tra fra di del della da dal dalla a al \
            alla è era sono non sì poi anche ancora già oggi ieri domani ora allora dopo prima questo questa \
            questi queste quello quella suo sua mio nostro si ci
            """)
}
