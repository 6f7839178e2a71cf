import SynthScript
import Testing
import TestNumbers

@Suite("Punctuation within utterances")
struct ClauseMarksTests {
    private func spoken(_ text: String) -> Utterance {
        Utterance(text: text, source: SourceMap(offset: 0), pauseAfter: .sentence).applying(ClauseMarks.edits(of: text))
    }

    @Test(
        "A period that does not end a sentence is omitted, and other periods are kept",
        arguments: [
            ("Dr. Smith came.", "Dr Smith came."), ("See Fig. 3 on p. 12.", "See Fig 3 on p 12."),
            ("J. R. R. Tolkien wrote.", "J R R Tolkien wrote."), ("The U.S. Congress met.", "The U.S Congress met."),
            ("He saw “St. Paul” there.", "He saw “St Paul” there."),
            ("Am 3. Oktober ging er.", "Am 3 Oktober ging er."),
            ("Ask Mr. “Big” Jones.", "Ask Mr “Big” Jones."), ("डॉ. शर्मा आए।", "डॉ शर्मा आए।"),
            ("Nuts, e.g. walnuts.", "Nuts, e.g. walnuts."),
            ("Pi is 3.14 at a.b.c today.", "Pi is 3.14 at a.b.c today."),
            ("I went home. then I slept.", "I went home. then I slept."), ("Well... Maybe.", "Well... Maybe."),
            ("It is over. He left", "It is over. He left"), ("Dr.", "Dr."), (".", "."), ("Dr. ", "Dr. "),
            ("It ends with St.", "It ends with St."), ("Q. What is it?", "Q. What is it?"),
            ("A. It is a door.", "A. It is a door."),
        ])
    func stops(text: String, expected: String) {
        #expect(spoken(text).text == expected)
    }

    @Test(
        "A dash between two words is surrounded by spaces, and hyphens are left unchanged",
        arguments: [
            ("The man—old.", "The man — old."), ("Wait--what?", "Wait — what?"), ("Wait -- what?", "Wait  —  what?"),
            ("Wait---what?", "Wait — what?"), ("“No”—he left.", "“No” — he left."), ("So— yes.", "So —  yes."),
            ("A — b.", "A — b."), ("well-known", "well-known"), ("ls --all", "ls --all"), ("—Yes.", "—Yes."),
            ("a ---- b", "a ---- b"), ("No—", "No—"), ("走——来", "走 — 来"), ("It’s “so” … 5–6", "It’s “so” … 5–6"),
            ("--", "--"), ("simple - never", "simple  —  never"), ("5 - 3", "5 - 3"), ("a -b", "a -b"), ("- a", "- a"),
        ])
    func dashes(text: String, expected: String) {
        #expect(spoken(text).text == expected)
    }

    @Test(
        "An ellipsis follows the preceding word without a space",
        arguments: [
            ("He paused ... and sat.", "He paused... and sat."), ("Well...I suppose.", "Well... I suppose."),
            ("Well…I suppose.", "Well… I suppose."), ("Wait … what?", "Wait… what?"),
            ("Wait... what?", "Wait... what?"),
            ("...yes", "...yes"), ("1...5", "1...5"), ("你…好", "你…好"), ("so ...", "so ..."),
        ])
    func dots(text: String, expected: String) {
        #expect(spoken(text).text == expected)
    }

    @Test("Every word keeps its position in the text")
    func places() {
        var random = SeededRandom(7)
        let pieces = ["Dr.", "Smith", "—", "--", " ", "No.", "5", "…", "ö", "J.", "“", "你", "-", ".", "so"]
        for _ in 0..<500 {
            let text = (0..<12).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            let bytes = Array(text.utf8)
            let utterance = spoken(text)
            let edited = Array(utterance.text.utf8)
            for index in edited.indices where edited[index] != UInt8(ascii: " ") && edited[index] < 0x80 {
                let place = utterance.source.sourceRange(of: index..<index + 1)
                #expect(place.count == 1 && bytes[place.lowerBound] == edited[index], "\(text)")
            }
            #expect(utterance.text.filter { $0.isLetter || $0.isNumber } == text.filter { $0.isLetter || $0.isNumber })
        }
    }
}
