import Testing

@testable import SynthHTTPServer

@Suite("Languages that a client accepts")
struct AcceptedLanguagesTests {
    @Test(
        "A language is selected by weight and, for equal weights, by order",
        arguments: [
            ("de", "de"), ("de-CH", "de"), ("DE-ch-1996", "de"), ("en", "en-US"), ("en-GB", nil), ("en-US", "en-US"),
            ("fr, de;q=0.5", "de"),
            ("en;q=0.2, de;q=0.3", "de"), ("en,de", "en-US"), ("de;q=0.9, en;q=0.90", "de"), ("*", "en-US"),
            ("fr, *;q=0.1", "en-US"), ("en-US;q=0, *", "de"),
            ("de;q=0", nil), ("de ; q=0.5 ,\ten", "en-US"), ("de;q=1.001, pt", "pt-BR"), ("de;q=, pt", "pt-BR"),
            ("de;x=1, pt", "pt-BR"), ("de;q=0.1234, pt", "pt-BR"),
            ("d_e, pt", "pt-BR"), ("de;q=2, pt;q=0.001", "pt-BR"), ("", nil), (",,;", nil), ("d\0e", nil), ("fr", nil),
            ("en-USA", nil),
        ] as [(String, String?)])
    func choice(header: String, expected: String?) {
        #expect(AcceptedLanguages(header).choice(of: ["en-US", "de", "pt-BR"]) == expected)
    }

    @Test("The number of accepted languages is limited")
    func limit() {
        let many = Array(repeating: "xx", count: AcceptedLanguages.maximumRanges)
        #expect(AcceptedLanguages((many.dropLast() + ["de"]).joined(separator: ",")).choice(of: ["de"]) == "de")
        #expect(AcceptedLanguages((many + ["de"]).joined(separator: ",")).choice(of: ["de"]) == nil)
        #expect(AcceptedLanguages("de").choice(of: []) == nil)
    }
}
