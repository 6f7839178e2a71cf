import Testing

@testable import SynthCatalogue

@Suite("Blend notation")
struct BlendTermTests {
    @Test("A blend is a list of names joined with +, each with an optional weight after *")
    func terms() throws {
        #expect(try BlendTerm.terms(of: "Heart") == nil)
        #expect(try BlendTerm.terms(of: "") == nil)
        #expect(try BlendTerm.terms(of: "Heart+Bella") == [BlendTerm(name: "Heart"), BlendTerm(name: "Bella")])
        #expect(
            try BlendTerm.terms(of: " Heart * 0.7 + Emma (British)*3.")
                == [BlendTerm(name: "Heart", weight: 0.7), BlendTerm(name: "Emma (British)", weight: 3)])
        #expect(try BlendTerm.terms(of: "a*1+b*.5")?.map(\.weight) == [1, 0.5])
    }

    @Test(
        "Weights that are not positive numbers are rejected",
        arguments: [
            "much", "", "0", "0.0", "-1", "+1", "nan", "inf", "0x1p3", "1e3", "0,7", "1.2.3", ".", "½", "٣", "1*2",
            String(repeating: "9", count: 400),
        ])
    func weights(weight: String) {
        // A plus sign starts the next term.
        let expected: VoiceError =
            weight == "+1" ? .noWeight("", voice: "Heart") : .noWeight(weight, voice: "Heart")
        #expect(throws: expected) { try BlendTerm.terms(of: "Heart*\(weight)+Emma") }
    }

    @Test(
        "Blends with missing names are rejected",
        arguments: ["+", "Heart+", "+Heart", "Heart++Emma", "*0.5", "Heart+*2", " + "])
    func gaps(text: String) {
        #expect(throws: VoiceError.incompleteBlend(text)) { try BlendTerm.terms(of: text) }
    }
}
