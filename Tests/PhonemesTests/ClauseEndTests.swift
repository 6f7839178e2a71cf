import Testing

@testable import SynthPhonemes

@Suite struct ClauseEndTests {
    /// Each case starts with the text consumed by a library that does not report codes for clauses. It includes the
    /// first character of the next clause if the library has read ahead.
    @Test(
        "The end of a clause is located before the character that was read ahead",
        arguments: [
            ("Hello, w", false, ",", false, 6), ("Hello. W", false, ".", true, 6), ("Really? Y", false, "?", true, 7),
            ("Stop! “", false, "!", true, 5), ("One; t", false, ";", false, 4), ("Two: t", false, ":", false, 4),
            ("“Come!” h", false, "!", true, 11), ("near — h", false, ";", false, 8), ("said. — «", false, ".", true, 9),
            ("Wait... w", false, "", false, 7), ("Wait… w", false, "", false, 7), ("Well?! N", false, "?", true, 6),
            ("paragraph\n\nN", false, "", true, 9), ("the end", true, "", true, 7), ("the end.", true, ".", true, 8),
            ("你好。你", false, "", true, 9), ("你，好", false, "", false, 6), ("— ", false, "", true, 3),
            ("Wait… — w", false, "", false, 11), ("No!... w", false, "!", true, 6), ("one, … t", false, ",", false, 8),
            ("Who?..", true, "?", true, 6), ("over?\n\nN", false, "", true, 5), ("over.”\n \n—", false, "", true, 8),
            ("over\n\n.", false, "", true, 4), ("over. -", true, ".", true, 7), ("No. 5", false, ".", true, 3),
        ] as [(String, Bool, String, Bool, Int)])
    func ends(taken: String, isLast: Bool, symbol: String, endsSentence: Bool, position: Int) {
        let utf8 = Array(taken.utf8)
        let end = ClauseEnd(utf8, taken: utf8.indices, isLast: isLast)
        #expect(end.symbol.map { String($0) } ?? "" == symbol)
        #expect(end.endsSentence == endsSentence)
        #expect(end.position == position)
    }

    @Test(
        "If the library reports a code for the end of a clause, that code is used",
        arguments: [
            (0x80028, ".", true), (0x82028, "?", true), (0x8302D, "!", true), (0x41014, ",", false),
            (0x4001E, ":", false), (0x4101E, ";", false), (0x80046, "", true), (0, "", false),
            (0x1080028, ".", true),
        ] as [(Int32, String, Bool)])
    func codes(code: Int32, symbol: String, endsSentence: Bool) {
        let end = ClauseEnd(position: 3, code: code)
        #expect(end.symbol.map { String($0) } ?? "" == symbol)
        #expect(end.endsSentence == endsSentence)
        #expect(end.position == 3)
    }
}
