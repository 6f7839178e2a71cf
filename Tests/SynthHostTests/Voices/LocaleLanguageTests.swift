import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("The locale's language")
struct LocaleLanguageTests {
    @Test(
        "The language is a tag, whether or not the locale has an encoding and a modifier",
        arguments: [
            ("de_DE.UTF-8", "de-de"), ("de_AT.UTF-8@euro", "de-at"), ("fr", "fr"), ("sr_RS@latin", "sr-rs"),
            ("C", nil), ("C.UTF-8", nil), ("POSIX", nil), ("", nil),
        ] as [(String, String?)])
    func tags(value: String, tag: String?) {
        #expect(LocaleLanguage.tag(environment: ["LANG": value]) == tag)
    }

    @Test("LC_ALL overrides LC_MESSAGES, which overrides LANG, and empty variables are ignored")
    func order() {
        let all = ["LC_ALL": "it_IT", "LC_MESSAGES": "pl_PL", "LANG": "de_DE"]
        #expect(LocaleLanguage.tag(environment: all) == "it-it")
        #expect(LocaleLanguage.tag(environment: all.merging(["LC_ALL": ""]) { $1 }) == "pl-pl")
        #expect(LocaleLanguage.tag(environment: all.merging(["LC_ALL": "C"]) { $1 }) == nil)
        #expect(LocaleLanguage.tag(environment: [:]) == nil)
    }
}
