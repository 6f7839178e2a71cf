extension SentenceWords {
    /// Spanish.
    static let spanish = SentenceWords(
        titles: """
            sr sra srta sres sras dr dra dres dña ud uds vd vds p.ej EE lic arq ing fdo gral excmo excma ilmo \
            Cap
            """,
        undecided: """
            UU sto sta Av Avda avda cía ee.uu admón dpto aprox edit izq dcha \
            mill pers hab cda cdas cdta cdtas pza ctra ss \
            prov
            """,
        undecidedEnds: "-vie -sáb -dom",
        beforeNumbers: """
            núm nº pág págs cap caps ene abr ago dic núms lun \
            mié mie jue vie sáb sab dom máx mín tfno
            """,
        starters: """
            el la los las un una unos unas él ella ellos ellas nosotros yo tú usted ustedes pero este esta estos \
            estas ese esa esto eso aquel aquella y o en de del al con sin por para como cuando donde si no sí \
            también ya muy más hoy ayer mañana ahora entonces luego después antes su sus mi mis tu nuestro \
            nuestra qué quién cómo cuándo dónde todo todos allí aquí ahí aunque porque mientras según desde hasta \
            entre sobre se le lo nos
            """)
}
