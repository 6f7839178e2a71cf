extension SentenceWords {
    /// German.
    static let german = SentenceWords(
        titles: """
            hr hrn fr fam dipl ing univ med phil jur rer nat habil bzgl bzw evtl ggf inkl exkl sog vgl zzgl z.b \
            z.t z.zt d.h d.i u.a u.u m.e i.d.r o.g s.o s.u v.a o.ä geb gest allg einschl urspr lt kath röm \
            gegr verh stellv vorm ehem \
            dipl.-ing \
            z.hd
            """,
        undecided: """
            mio mrd tel Fa gmbh u.ä usw u.s.w usf etc o.ä mind Chr n.chr v.chr Tsd Mill Std Min Sek Jh Jhd Jahrh Aufl Hbf \
            lfd gem lt rd Bj jun sen ff Pck Stk Msp Einw Pers mwst hrn betr gegr \
            nachm ungef
            """,
        undecidedEnds: "str -fr -sa -so",
        beforeNumbers: "nr nrn abb tab kap abs bd bde s jg hrsg okt dez ziff mär Mo Di Mi Do Sa So",
        starters: """
            der die das den dem des ein eine einen einem einer er sie es wir ihr ich du man und aber oder denn \
            dann dies diese dieser dieses diesen diesem wenn als auch nach vor mit so doch da hier jetzt heute \
            gestern morgen im in am an auf aus bei bis für gegen ohne um von zu zum zur über unter während weil \
            obwohl damit dort nun noch nur schon sehr wie was wer wo warum wann nicht kein keine mein meine sein \
            seine ihre unser unsere jeder jede jedes alle viele einige danach deshalb trotzdem außerdem später \
            bald
            """,
        ordinalNouns: """
            januar jänner februar märz april mai juni juli august september oktober november dezember \
            jan feb mär mrz apr jun jul aug sep sept okt nov dez \
            jahrhundert jahrhunderts jahrtausend weltkrieg weltkriegs kapitel klasse etage stock geburtstag tag \
            mal platz auflage liga bezirk woche monat jahr semester runde bundesliga reich quartal hälfte akt \
            tür reihe halbzeit spieltag gang staffel folge satz
            """,
        ordinalLeaders: """
            am im vom zum zur beim der den dem des das die bis ab seit ins jeder jeden jede jedes jedem \
            sein seine seinen seinem seiner seines ihr ihre ihren ihrem ihrer ihres mein meine meinen meinem meiner \
            meines dein deine deinen deinem deiner deines unser unsere unseren unserem unserer unseres euer eure \
            euren eurem eurer eures ein eine einen einem einer eines kein keine keinen keinem keiner keines dieser \
            diese dieses diesen diesem
            """)
}
