extension SentenceWords {
    /// Arabic.
    static let arabic = SentenceWords(
        titles: "د أ.د",
        undecided: "م هـ ص أ ق.م",
        beforeNumbers: "ص ج ط",
        starters: """
            هو هي هم نحن أنا أنت هذا هذه ذلك تلك و ثم لكن إذا عندما في من على إلى مع بعد قبل لم لا نعم ما متى \
            أين كيف لماذا كان كانت وكان وقد قد
            """)
}
