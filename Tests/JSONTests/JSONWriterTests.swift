import Testing

@testable import SynthJSON

@Suite struct JSONWriterTests {
    @Test("Members keep their order unless they are sorted")
    func order() throws {
        let node = try JSONReader.read(Array(#"{"b": [1, {}], "a": null}"#.utf8))
        #expect(JSONWriter.text(of: node) == "{\n  \"b\": [\n    1,\n    {}\n  ],\n  \"a\": null\n}")
        #expect(
            JSONWriter.text(of: node, sortsKeys: true) == "{\n  \"a\": null,\n  \"b\": [\n    1,\n    {}\n  ]\n}")
    }

    @Test(
        "A string survives a round trip and contains no control characters when written",
        arguments: [
            ("a\"\\b", #""a\"\\b""#), ("\n\r\t", #""\n\r\t""#), ("\u{1B}[0m\u{7F}", #""\u001b[0m\u007f""#),
            ("\u{E0001}", #""\udb40\udc01""#), ("é😀", "\"é😀\""), ("\u{202E}x", #""\u202ex""#),
        ])
    func strings(text: String, quoted: String) throws {
        #expect(JSONString.quoted(text) == quoted)
        #expect(try JSONReader.read(Array(quoted.utf8)).value == .string(text))
    }
}
