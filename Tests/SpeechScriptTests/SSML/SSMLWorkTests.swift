import SynthScript
import Testing

/// The processing time and the size of the result are bounded by the length of the document.
@Suite("The processing cost of SSML")
struct SSMLWorkTests {
    /// The maximum number of times that a byte may be read.
    private static let looks = 12

    @Test(
        "Repetitive documents are read in linear time",
        arguments: [
            "&amp;", "a ", " ", "<b/>", "<b></b>", "<!---->", "<?a?>", "<![CDATA[]]>", "<![CDATA[]]]]>", "<s>a</s>",
            "]] ",
            "<sub alias='ab'>c</sub>", "<sub alias=''>          </sub>", "<phoneme ph='a'/>", "<mark name='a'/>",
            "<break/>", "<audio src='a'>b</audio>", "<say-as interpret-as='characters'>abc</say-as>", "<!-- - - - -->",
            "<b c='&lt;&lt;&lt;' d='e' f='g'/>", "<a:b c:d='e'>f</a:b>", "é\u{301}",
            "<prosody rate='fast'>a</prosody>b", "<prosody contour='(0%,1)'>a</prosody>b",
        ])
    func linear(piece: String) throws {
        for count in [100, 5_000] {
            let document = Array(("<speak>" + String(repeating: piece, count: count) + "</speak>").utf8)
            var script = try SSMLScript(document)
            var count = 0
            while try script.next() != nil { count += 1 }
            #expect(script.work <= Self.looks * document.count)
            #expect(count <= document.count / 4)
        }
    }

    @Test("The processing cost of nested contours is linear in the document's length")
    func contours() throws {
        let start = "<prosody contour='(0%,1)'>"
        let element = String(repeating: start, count: 40) + "a" + String(repeating: "</prosody>", count: 40)
        let document = Array(("<speak>" + String(repeating: element, count: 200) + "</speak>").utf8)
        var script = try SSMLScript(document)
        var sources: [Range<Int>] = []
        while let part = try script.next() {
            if case .text(let text) = part, let contour = text.style.contour { sources.append(contour.source) }
        }
        #expect(script.work <= Self.looks * document.count)
        #expect(sources.count == 200 && sources.allSatisfy { document[$0] == [0x61] })
    }

    @Test(
        "Documents that become invalid near the start are rejected there or at the end",
        arguments: ["<", "<speak>", "<speak", "<speak a='", "&", "<!--", "<?a", "<speak><a b='&lt;"])
    func wrong(piece: String) {
        let document = Array(String(repeating: piece, count: (1 << 20) / piece.utf8.count).utf8)
        let error = #expect(throws: ScriptError.self) { try SSMLScript(document).rest() }
        #expect((error?.place.offset ?? .max) <= 64 * 7 || error?.place.offset == document.count)
    }

    @Test("A document of the maximum length is read, but a longer document is rejected")
    func length() throws {
        let start = "<speak>a<!--"
        let end = "-->b</speak>"
        let middle = String(repeating: "x", count: SSMLScript.largest - start.utf8.count - end.utf8.count)
        #expect(try SSMLScript(Array((start + middle + end).utf8)).rest().count == 1)
        let error = #expect(throws: ScriptError.self) { try SSMLScript(Array((start + middle + " " + end).utf8)) }
        #expect(error?.reason == .tooLong(limit: SSMLScript.largest))
    }
}
