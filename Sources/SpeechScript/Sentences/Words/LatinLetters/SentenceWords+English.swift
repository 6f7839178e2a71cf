extension SentenceWords {
    /// English.
    static let english = SentenceWords(
        titles: """
            dr mr mrs ms mx prof rev hon gen lt col maj capt cpt sgt cmdr adm gov sen rep pres supt messrs mt fr \
            insp cpl pvt brig atty e.g eg i.e ie vs viz cf ca approx esp incl excl resp
            """,
        undecided: """
            inc ltd co corp bros jr sr st ave blvd rd dept est assn al ft univ dist ln hwy pkwy bldg phd ph.d \
            m.d b.a m.a b.sc m.sc esq sq govt misc oz lb lbs tsp tbsp \
            Temp wk wks assoc cont attn
            """,
        beforeNumbers: """
            no nos vol vols fig figs chap ch sec sect art par eq ex p pp pg ss st ver ed jan feb mar apr jun jul \
            aug sep sept oct nov dec \
            chs op para rm ext max min hrs yrs tue tues thu thur thurs \
            sc ll ver qty eqs ref
            """,
        starters: """
            the a an he she it we they you i his her its our their my your this that these those there here then \
            but and or so if when while where what who whom whose which why how in on at as by of off up out \
            over under into through between for from after before because since during until although though \
            however therefore moreover meanwhile instead also still yet even once only just perhaps maybe some \
            many most all both each every any another no none nobody nothing yes not never now today yesterday \
            tomorrow later soon again to with without is are was were be do did does has have had can could \
            would should must let please
            """)
}
