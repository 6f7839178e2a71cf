extension SentenceWords {
    /// Czech.
    static let czech = SentenceWords(
        titles: "např tj tzv ing mgr mudr judr bc doc phdr sv pí",
        undecided: "atd apod aj",
        beforeNumbers: "č str obr tab čl odst",
        starters: """
            on ona ono oni my vy já ty to ten ta ti ale a nebo protože když pokud jak kde co kdo proč v ve na do \
            z ze po od pro při ne ano už také potom pak teď dnes včera zítra tady tam jeho její jejich náš můj
            """,
        ordinalNouns: "ledna února března dubna května června července srpna září října listopadu prosince století")
}
