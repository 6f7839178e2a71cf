extension SentenceWords {
    /// Vietnamese.
    static let vietnamese = SentenceWords(
        titles: "TS ThS PGS GS BS KS TP", undecided: "v.v",
        starters: "anh chị em ông bà tôi nó họ chúng và nhưng khi nếu vì ở trong đây đó hôm bây không")
}
