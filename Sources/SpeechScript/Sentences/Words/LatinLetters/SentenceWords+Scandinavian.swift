extension SentenceWords {
    /// Danish, Norwegian and Swedish.
    static let scandinavian = SentenceWords(
        titles: "bl.a f.eks t.ex dvs m.fl fr ca t.o.m fr.o.m s.k f.d osv hr bl f.kr e.kr mm",
        undecided: "osv m.m m.v m.fl etc",
        beforeNumbers: "kl kr s nr tlf tel st maj okt",
        starters: """
            den det de han hun hon vi jeg jag du ni dere men og och eller så nå nu når da då der där her här \
            dette detta denne denna disse dessa en et ett i på med for för fra från til till om av etter efter \
            før innan ikke inte ja nei nej hva vad hvem vem hvor var hvorfor varför min mitt sin sitt alle alla
            """,
        ordinalNouns: """
            marts maj januar februar april juni juli august september oktober november desember december \
            århundre århundrede
            """)
}
