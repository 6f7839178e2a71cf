import SynthScript
import Testing

@Suite("Malicious Markdown")
struct MarkdownGuardTests {
    private static func many(_ text: String, _ count: Int = 100_000) -> String { String(repeating: text, count: count) }

    @Test(
        "Documents for which the library would need more than linear time are rejected",
        arguments: [
            (many(">"), 1, .tooDeep(limit: 100)), ("a\n\n" + many("> "), 3, .tooDeep(limit: 100)),
            (many("- ") + "x", 1, .tooDeep(limit: 100)), (many("1. ") + "x", 1, .tooDeep(limit: 100)),
            (many("[a]\n", 200_000), 89_444, .unexpected("]")),
            ("a|b\n-|-\n" + many("[a](b \"c\n", 200_000), 89_444, .unexpected("]")),
        ] as [(String, Int, ScriptError.Reason)])
    func refused(document: String, line: Int, reason: ScriptError.Reason) throws {
        let error = try MarkdownScriptTests.refusal(of: document)
        #expect(error?.reason == reason)
        #expect(error?.place.line == line)
    }

    @Test("A table with many columns but few cells is rejected if the library treats it as a table")
    func hugeTable() throws {
        let document = Self.many("a|", 400) + "\n" + Self.many("-|", 400) + "\n" + Self.many("x\n", 5_000)
        let reason = try MarkdownScriptTests.refusal(of: document)?.reason
        #expect(reason == .unexpected("|") || reason == nil)
    }

    @Test("Too many links that share a long URL are rejected")
    func sharedAddress() throws {
        let document = "[a]: " + Self.many("x", 100_000) + "\n\n" + Self.many("[a] ", 100_000)
        let reason = try MarkdownScriptTests.refusal(of: document)?.reason
        #expect(reason == .unexpected("]") || reason == nil)
    }

    @Test("A document with too many markup characters is rejected at the first character beyond the limit")
    func manySigns() throws {
        let line = Self.many("*a* ", 1_000) + "\n\n"
        let error = try MarkdownScriptTests.refusal(of: Self.many(line, 2_000))
        let place = try #require(error).place
        #expect(error?.reason == .tooLong(limit: place.offset))
        #expect((7_900_000...8_000_000).contains(place.offset))
    }

    @Test(
        "Documents that merely look malicious are accepted",
        arguments: [
            many("["), many("*"), many("*a "), many("_"), many("a]"), many("<"), many("`a"), many("- "), many("\\*"),
            many("[a]", 20_000), many("*_", 20_000) + "a" + many("_*", 20_000),
            many("> ", 99) + "a\n" + many("b\n", 20_000),
            many("![a](b) ", 2_000), many("|a|b|\n|-|-|\n|c|d|\n\n", 5_000), many("a\n===\n", 20_000),
            many("Some *words* with [links](to).\n", 5_000), many("&amp;&#65;&nothing;", 20_000),
            many("![[]()"), many("![[]()`]`"), many("*w* [w](a) "), many("a\n") + "|a|\n|-|",
            many("a|", 501) + "\n" + many("-|", 501), "a|b\n-|-\n" + many("c|", 501),
            many("- ", 100) + "a\n" + many("\n"), many("- [a](b) *c*\n"),
            "|a|b|\n|-|-|\n" + many("|[c](d)|e|\n", 30_000),
            many("x <!-- "), many("<!-- a\n\n", 20_000), many("<style>\n\n", 20_000), many("[^a]"),
            many("[^a]: b\n\n", 20_000),
            many("\0"), many("1. ", 100) + "\n" + many("\n---\n", 20_000), many("<a b='\n", 50_000), many("&", 50_000),
        ])
    func read(document: String) throws {
        #expect(try MarkdownScriptTests.refusal(of: document) == nil)
    }
}
