import SynthVerbalization
import Testing

@Suite("Decorative letters")
struct PlainLettersTests {
    @Test(
        "Decorative letters become plain letters",
        arguments: [
            ("𝗕𝗶𝗴 𝘀𝗮𝗹𝗲", "Big sale"), ("𝓗𝓮𝓵𝓵𝓸 ℒℴ𝓋ℯ", "Hello Love"), ("𝕹𝖊𝖜 𝕟𝕖𝕨 ℝ𝕖𝕕", "New new Red"),
            ("𝟐𝟎 𝟛𝕣𝕕", "20 3rd"),
            ("𝛼 𝛀 𝜋 𝜕", "α Ω π ∂"), ("Ｆｕｌｌ ｗｉｄｔｈ ５", "Full width 5"), ("ꜱᴍᴀʟʟ ᴄᴀᴘꜱ", "small caps"),
            ("ʙʏ ʜɪs", "by his"),
            ("ⓒⓘⓡⓒⓛⓔⓓ Ⓐ ⒜", "circled A a"), ("🅱oxed 🅱🅾🆇 🄱🄾🅇", "Boxed BOX BOX"),
            ("Sᵗ Mᵐᵉ 1ᵉʳ 10ᵗʰ Dʳ", "St Mme 1er 10th Dr"),
            ("Nᵒ 5", "Nº 5"), ("oﬃce ﬁlled ﬂow oﬀ raﬄe beſt ﬆ", "office filled flow off raffle best st"),
            ("xᵢ", "x i"), ("ĳs", "ijs"), ("ℓ and ℎ", "l and h"),
            ("① Wash, ❷dry, step③ ⑳", "1 Wash, 2 dry, step 3 20"), ("①②5 ①Öl", "1  2 5 1 Öl"),
            ("Онъ жилъ въ домѣ. Ѣ? Объектъ ДОМЪ", "Он жил в доме. Е? Объект ДОМ"),
        ])
    func plain(_ text: String, _ expected: String) {
        #expect(PlainLetters.replacements(in: text).applied(to: text) == expected)
    }

    @Test(
        "Letters that are used as symbols are unchanged",
        arguments: [
            "x² ½ ℃ № ™ ℠", "x ∈ ℝ, ℕ", "xⁿ", "Take 🅿 or 🅰.", "[tʰ] hɪt ʃɪp", "Ein schöner Straßenname",
            "Привет, мир", "Объект съел ъ", "подъ\u{AD}езд", "你好。", "fi",
            "",
        ])
    func same(_ text: String) {
        #expect(PlainLetters.replacements(in: text) == [])
    }

    @Test("Each plain letter keeps the position of the original")
    func places() {
        let text = "a 𝗕𝗶 ﬃ"
        let found = PlainLetters.replacements(in: text)
        #expect(found.map(\.range) == [2..<6, 6..<10, 11..<14])
        #expect(found.map(\.words) == ["B", "i", "ffi"])
    }
}

@Suite("LaTeX formulas")
struct MathTextTests {
    @Test(
        "LaTeX formulas are converted to ordinary notation",
        arguments: [
            ("$E = mc^2$", "E = m c²"), ("$$\\frac{1}{2}$$", "1/2"), ("$\\frac{a+b}{c}$", "a + b / c"),
            ("$x_1$", "x 1"),
            ("$\\sqrt{2}$ and $\\sqrt{x+1}$", "√2 and √(x + 1)"), ("$\\sqrt[3]{8}$", "∛8"), ("\\(x^n\\)", "x^n"),
            ("\\[a \\leq b\\]", "a ≤ b"), ("$10^{-3}$", "10⁻³"), ("$f(x) = -x$", "f(x) = −x"), ("$90^\\circ$", "90°"),
            ("$x \\in \\mathbb{R}$", "x ∈ ℝ"), ("$\\alpha \\times \\pi$", "alpha × π"), ("$\\int_0^1 x$", "∫ 0–1, x"),
            ("$5$", "5"),
            ("$n$ and $m$", "n and m"), ("$\\text{if } x > 0$", "if  x > 0"),
        ])
    func formulas(_ text: String, _ expected: String) {
        #expect(MathText.replacements(in: text).applied(to: text) == expected)
    }

    @Test(
        "Sums of money and variable names are not treated as formulas",
        arguments: [
            "$5 and $6", "It costs $5-$6.", "US$5 or A$6", "$HOME and $PATH", "$20k to $30k", "a $ b $ c", "$", "$$",
            "$$$", "\\n and \\t",
            "cash$ = $5", "pay $5, not $6, now",
        ])
    func money(_ text: String) {
        #expect(MathText.replacements(in: text) == [])
    }

    @Test("Formulas are read only up to a certain depth")
    func depth() {
        let text = "$" + String(repeating: "\\sqrt{", count: 250) + "x" + String(repeating: "}", count: 250) + "$"
        #expect(MathText.replacements(in: text).count == 1)
        let open = "$" + String(repeating: "{^", count: 900) + "$"
        #expect(MathText.replacements(in: open).count == 1)
    }
}
