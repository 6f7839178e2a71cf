import Foundation
import TestSupport
import Testing

@testable import synthhost_read
@testable import SynthDocuments

/// Tests of short entities that expand to large amounts of text.
extension HostileMarkupTests {
    /// Each argument consists of a use of a one-megabyte entity and the number of words that are read, not counting the
    /// entity's text, or nil if the page is rejected.
    @Test(
        "Attributes and entities that expand to far more than the size of the file are rejected",
        arguments: [
            ("<img alt=\"&e;\"/>", nil), ("<table><tr><td>&e;</td></tr></table>", nil), ("<pre>&e;</pre>", nil),
            ("<p>a</p><h1>&e;</h1>", nil), ("<p id=\"&e;\">a</p>", nil), ("<p class=\"&e;\">a</p>", nil),
            ("<div role=\"&e;\">a</div>", nil), ("<p lang=\"&e;\">a</p>", nil), ("<a href=\"&e;\">a</a>", nil),
            ("<p title=\"&e;\">a</p>", 3000),
            ("<p>a&e;</p>", nil), ("<sup><a href=\"#\">&e;</a></sup>", nil),
        ] as [(String, Int?)])
    func expansion(use: String, words: Int?) throws {
        let start = Self.xhtml.replacing(
            "?>\n", with: "?><!DOCTYPE html [<!ENTITY e \"\(String(repeating: "x ", count: 500_000))\">]>\n")
        var book = TestBook(["<p>a</p>"])
        book["OEBPS/text/page1.xhtml"] = start + String(repeating: use, count: 3000) + "</body></html>"
        let bytes = book.bytes
        let before = Self.processorTime()
        if let words {
            #expect(try Document.read(bytes, [.cover, .notes]).words == words)
        } else {
            let excess = try #require(self.excess(bytes, as: nil, [.cover, .notes]))
            #expect(excess.kind == .text && excess.member == "OEBPS/text/page1.xhtml" && excess.line == 3)
        }
        #expect(Self.processorTime() - before < .seconds(10 * Sanitizer.slowdown))
    }

    private static let uses = [
        "<img alt='&e;'/>", "<pre>&e;</pre>", "<td>&e;</td>", "<p>&e;</p>", "<title>&e;</title>",
    ]

    /// A page with nested entities, each of which contains ten entities of the next level.
    private static func nested(_ levels: Int, _ innermost: String, _ use: String) -> String {
        let entities = (1...9).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }.joined()
        let start = xhtml.replacing("?>\n", with: "?><!DOCTYPE html [<!ENTITY e0 \"\(innermost)\">\(entities)]>\n")
        return "\(start)<p>a</p>\(use.replacing("&e;", with: "&e\(levels);"))</body></html>"
    }

    @Test("A small number of nested entities is expanded as XML requires", arguments: uses)
    func fewNested(use: String) throws {
        let isTitle = use.contains("title")
        let document = try Document.read(Array(Self.nested(1, "ten letters ", use).utf8), as: .page)
        #expect(document.words == (isTitle ? 1 : 21))
        if isTitle { #expect(document.title?.hasPrefix("ten letters ten letters") == true) }
        #expect(try Document.read(Array(Self.nested(1, "", use).utf8), as: .page).words == 1)
        // Of the titles, only the first is read. All of the other elements are read, and each contains 100 kB ten
        // times.
        guard !isTitle else { return }
        let many = String(repeating: use, count: 100)
        let excess = try #require(self.excess(Self.nested(1, String(repeating: "x ", count: 50_000), many)))
        #expect(excess.kind == .text && excess.line >= 2)
    }

    /// libxml2 itself treats such entities as a loop, so the page is read as HTML, with its declarations as text.
    @Test("Entities that would expand to billions of characters are quickly rejected or truncated", arguments: uses)
    func nested(use: String) throws {
        for (levels, innermost) in (2...9).flatMap({ [($0, "ten letters "), ($0, "")] }) {
            let before = Self.processorTime()
            let words = wordsUnlessExcessive(Self.nested(levels, innermost, use)) ?? 0
            let isWhole =
                levels < 6 && words == 1 + (innermost.isEmpty ? 0 : 2 * (1...levels).reduce(1) { all, _ in 10 * all })
            #expect(words < 50 || isWhole, "\(levels)")
            #expect(Self.processorTime() - before < .seconds(5), "\(levels)")
        }
    }

    /// This thread's CPU time, which other tests do not affect.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The number of words; nil if the page is rejected because of excessive entity expansion.
    private func wordsUnlessExcessive(_ page: String) -> Int? {
        do {
            return try Document.read(Array(page.utf8), as: .page).words
        } catch {
            if case .excessive(let excess) = error, excess.kind == .text, excess.line == 2 { return nil }
            Issue.record("\(error)")
            return nil
        }
    }
}

extension Document {
    fileprivate var words: Int { chapters.reduce(0) { $0 + $1.words } }
}
