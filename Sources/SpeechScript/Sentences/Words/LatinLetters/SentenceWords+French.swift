extension SentenceWords {
    /// French.
    static let french = SentenceWords(
        titles: "mme mmes mlle mlles MM Pr Mgr mgr p.ex c.-à-d env Ste Vve cie",
        undecided: "Me av apr ap Bd Cie boul éd qqch pers hab suiv dép arr trim ét",
        undecidedEnds: "-ven -sam -dim",
        beforeNumbers: "fasc chap art janv févr avr juil déc lun mer jeu ven sam dim max min tél coll al th réf",
        starters: """
            le la les l un une des du il elle ils elles on nous vous je tu ce cet cette ces ceci cela ça mais et \
            ou où or donc car puis si quand lorsque comme en dans sur sous par pour avec sans chez vers depuis \
            après avant pendant alors ainsi aussi encore enfin ensuite hier demain ici là son sa ses leur leurs \
            notre nos votre vos mon ma mes qui que quoi pourquoi comment oui non ne tout toute tous toutes
            """)
}
