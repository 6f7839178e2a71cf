extension SentenceWords {
    /// Portuguese.
    static let portuguese = SentenceWords(
        titles: "exmo exma dr dra drs sr sra profa prof.ª p.ex srs Dna Eng exmo",
        undecided: "Cia Av ltda etc pess hab col obs depto pça qtd Pç Lgo Rod Trav",
        undecidedEnds: "-sex -sáb -dom",
        beforeNumbers: "cap caps séc sécs pág págs núm fev abr mai ago dez jan seg qua qui inc",
        starters: """
            o a os as um uma uns umas ele ela eles elas nós eu você vocês mas e ou se quando enquanto onde como \
            porque que quem em no na nos nas com sem por pelo pela para de do da dos das ao à não sim também já \
            hoje ontem amanhã agora então depois antes este esta estes estas esse essa isso isto aquele aquela \
            seu sua meu minha nosso nossa é foi era são há
            """)
}
