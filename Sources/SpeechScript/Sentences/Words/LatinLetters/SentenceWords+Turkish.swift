extension SentenceWords {
    /// Turkish.
    static let turkish = SentenceWords(
        titles: "Av prof doç yrd sn alb yzb vb örn bkz",
        undecided: "vb vs cad mah apt",
        beforeNumbers: "no s sf",
        starters: """
            bu şu o biz siz onlar bir ve ama fakat ancak çünkü eğer nasıl neden ne nerede sonra önce \
            şimdi bugün dün yarın burada orada
            """)
}
