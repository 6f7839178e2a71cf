import Foundation
import Testing

@testable import synthhost_read
@testable import SynthDocuments

/// Small files that would take minutes or gigabytes without the protection under test. With it, each takes less than a
/// second.
@Suite("Malicious markup")
struct HostileMarkupTests {
    static let xhtml = "<?xml version=\"1.0\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><body>\n"
    private static func attributes(_ count: Int, from first: Int = 0) -> String {
        (first..<first + count).map { " a\($0)=\"1\"" }.joined()
    }

    func excess(
        _ bytes: [UInt8], as form: DocumentForm? = .page, _ extras: Set<DocumentExtra> = [.cover]
    ) -> DocumentFailure.ExceededLimit? {
        let failure = #expect(throws: DocumentFailure.self) { try Document.read(bytes, as: form, extras) }
        guard case .excessive(let excess) = failure else {
            Issue.record("\(String(describing: failure))")
            return nil
        }
        return excess
    }

    func excess(_ page: String) -> DocumentFailure.ExceededLimit? { excess(Array(page.utf8)) }

    @Test(
        "An element with too many attributes is rejected, and the error includes the line number",
        arguments: [257, 9000, 60_000])
    func attributes(count: Int) throws {
        let many = Self.attributes(count)
        let most = MarkupLimits.maximumAttributes
        for page in ["<html><p>a</p>\n<p\(many)>b</p></html>", "<html>\n<p\(many)>b", "<html><p>\n<br/\(many)/>"] {
            #expect(excess(page) == .init(.attributes, limit: most, member: nil, line: 2), "\(page.prefix(40))")
        }
        let inXML = try #require(excess("\(Self.xhtml)<p\(many)>b</p></body></html>"))
        #expect(inXML.kind == .attributes && inXML.line == 3)
        var book = TestBook(["<p>a</p>"])
        book["OEBPS/text/page1.xhtml"] = "\(Self.xhtml)<p\(many)>b</p></body></html>"
        #expect(
            excess(book.bytes, as: nil) == .init(.attributes, limit: most, member: "OEBPS/text/page1.xhtml", line: 3))
        book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing("<metadata>", with: "<metadata\(many)>")
        #expect(excess(book.bytes, as: nil)?.member == "OEBPS/book.opf")
    }

    @Test("Attributes are counted even in unusual positions, in other encodings, and after truncated names")
    func hidden() throws {
        let bare = (0..<40_000).map { " b\($0)" }.joined()
        for page in [
            "<html><!-- <a x=\" --><p\(bare)><b y=\">", "<html><script>if (a <b && c = '</script><p\(bare)> '",
            "<html><p x='\"' \(bare) y='\"'>", "<html><p \"=\"\(bare)>", "<html><p a$=\"\(bare)>",
            "<html><p a==\"\(bare)>", "<html><p x=y\"\(bare)>", "<html><p =\"\(bare)>", "<html><p a/='\(bare)>",
            "<html><p \((0..<25_000).map { String(repeating: "x", count: 94) + String(100_000 + $0) }.joined())>",
        ] { #expect(excess(page)?.kind == .attributes, "\(page.prefix(40))") }
        let page = "<html><p>a</p><p\(bare)>b</p></html>"
        let wide = page.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        #expect(excess([0xFF, 0xFE] + wide)?.kind == .attributes)
        #expect(excess(wide)?.kind == .attributes)
        // The scan does not apply to pages that declare a different encoding.
        let other = Array(
            "<html><meta charset=\"IBM037\"><p>\u{e9}</p><p\(bare)>b</p></html>".unicodeScalars.map { UInt8($0.value) })
        #expect(excess(other)?.kind == .attributes)
    }

    @Test("Attributes that many tags add to the outermost elements are counted", arguments: ["html", "Body", "HTML"])
    func outermost(name: String) throws {
        let tags = (0..<20_000).map { "<\(name) a\($0)=1>" }.joined()
        #expect(excess("<html><body>\(tags)<p>a</p>")?.kind == .attributes)
    }

    @Test("Attributes in entities and declarations are counted")
    func declared() throws {
        let bare = Self.attributes(40_000).replacing("\"", with: "'")
        let entity = "<!DOCTYPE html [<!ENTITY e \"&#60;p\(bare)>b&#60;/p>\">]>"
        let preset = "<!DOCTYPE html [<!ATTLIST p \((0..<40_000).map { "d\($0) CDATA 'x'" }.joined(separator: " "))>]>"
        for declaration in [entity, preset] {
            let page = Self.xhtml.replacing("?>\n", with: "?>\(declaration)\n") + "&e;<p>a</p></body></html>"
            #expect(excess(page)?.kind == .attributes)
        }
    }

    @Test("Too many namespaces in scope are rejected")
    func namespaces() throws {
        func declarations(_ range: Range<Int>) -> String { range.map { " xmlns:n\($0)=\"n\($0)\"" }.joined() }
        let flat = "\(Self.xhtml)<p\(declarations(0..<300))>a</p></body></html>"
        #expect(excess(flat)?.kind == .namespaces)
        let deep = (0..<10).map { "<div\(declarations($0 * 30..<$0 * 30 + 30))>" }.joined(separator: "\n")
        let nested = try #require(
            excess("\(Self.xhtml)\(deep)a\(String(repeating: "</div>", count: 10))</body></html>"))
        #expect(nested.kind == .namespaces && nested.line == 11)
        // Namespaces of closed elements are not in scope.
        let each = String(repeating: "<p><svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:x=\"x\"/>a</p>", count: 2000)
        #expect(try Document.read(Array("\(Self.xhtml)\(each)</body></html>".utf8), as: .page).chapters.count == 1)
    }

    @Test("A file that is listed many times is read once")
    func repeated() throws {
        let spellings = (0..<2000).map { number in
            "page1.xhtml".enumerated().map { place, sign in
                number >> place & 1 == 1 ? sign.uppercased() : String(sign)
            }.joined()
        }
        var book = TestBook(["<p>a</p>"])
        let items = spellings.enumerated().map { #"<item id="s\#($0)" href="text/\#($1)" properties="nav"/>"# }
        let references = spellings.indices.map { #"<itemref idref="s\#($0)"/>"# }
        book["OEBPS/book.opf"] = book["OEBPS/book.opf"]?.replacing("</manifest>", with: items.joined() + "</manifest>")
            .replacing("</spine>", with: references.joined() + "</spine>")
        #expect(try book.read().outline == ["# -", "p a"])
    }

    @Test("Text at the maximum depth is read once, not once per level")
    func deep() throws {
        let text = String(repeating: "word ", count: 400_000)
        let open = String(repeating: "<sup><a href=\"#n\">", count: 100)
        let close = String(repeating: "</a></sup>", count: 100)
        let page = "\(Self.xhtml)<p>\(open)\(text)\(close)</p></body></html>"
        #expect(try Document.read(Array(page.utf8), as: .page).chapters.map(\.words) == [400_000])
    }

    @Test(
        "A script, a style or a comment that resembles a huge tag is accepted",
        arguments: [
            ("<script>", "</script>"), ("<SCRIPT src='a>b' defer>", "</Script >"), ("<style>", "</style>"),
            ("<!--", "-->"),
        ])
    func scripts(start: String, end: String) throws {
        let font = "data:font/woff2;base64," + String(repeating: "d09GMgABAAAAA/", count: 220_000)
        let hidden = "\(start)\nif(a<b)c={u:\"\(font)\"}\n\(end)"
        let page = "<html><head>\(hidden)</head><body><p>One</p>\n\(hidden)<p>Two</p></body></html>"
        let read = try Document.read(Array(page.utf8), as: .page)
        #expect(read.outline == ["# -", "p One", "p Two"])
        #expect(read.chapters[0].blocks.map(\.place.line) == [3, 6])
        let inXML = "\(Self.xhtml)<script>//<![CDATA[\nif(a<b)c=\"\(font)\"\n//]]></script><p>One</p></body></html>"
        #expect(try Document.read(Array(inXML.utf8), as: .page).outline == ["# -", "p One"])
    }

    @Test("Invalid or closed scripts do not hide attributes")
    func scriptsThatAreNone() {
        let bare = (0..<40_000).map { " b\($0)" }.joined()
        for page in [
            "<html><!-- <script> --><p\(bare)>a</p><!-- </script> -->",
            "<html><p x='<script>'><p\(bare)>a</p></script>",
            "<html><script/><p\(bare)>a</p></script>", "<html><script>a</script><p\(bare)>a</p><script>b</script>",
            "<html><script><p\(bare)>a</p>", "<html><script\(bare)>a</script>", "<html><!-- a<p\(bare)>",
            "<html><script>\(String(repeating: "a<b ", count: 40_000))</script><p\(bare)>a</p>",
        ] { #expect(excess(page)?.kind == .attributes, "\(page.prefix(40))") }
    }

    @Test("Real pages are accepted: long attribute values, many short ones, scripts, and custom entities")
    func real() throws {
        let picture = "data:image/png;base64," + String(repeating: "iVBORw0KGgo+/", count: 300_000)
        let style = String(repeating: "margin: 0 auto; ", count: 40_000)
        let path = (0..<100_000).map { " L \($0) 1" }.joined()
        let script = (0..<10_000).map { "var v\($0) = v\($0 / 2);" }.joined(separator: "\n")
        let data = (0..<250).map { " data-n\($0)='<p class=\"x\">'" }.joined()
        let page = """
            <html><head><script>if (a<b) {} \(script)</script></head><body><p style="\(style)">One</p>
            <img src="\(picture)" alt="A red house"><svg><path d="M 0 0\(path)"/></svg><p\(data)>Two</p>
            <p title="\(String(repeating: "word ", count: 50_000))">Three</p></body></html>
            """
        #expect(
            try Document.read(Array(page.utf8), as: .page).outline == [
                "# -", "p One", "figure A red house", "p Two", "p Three",
            ])
        let own = Self.xhtml.replacing(
            "?>\n", with: "?><!DOCTYPE html [<!ENTITY me \"Ann and Bob\"><!ENTITY us \"&me;, both\">]>\n")
        let spoken = own + "<p>By &us;.</p><img alt=\"&me;\"/><table><tr><td>&me;</td></tr></table></body></html>"
        #expect(
            try Document.read(Array(spoken.utf8), as: .page).outline == [
                "# -", "p By Ann and Bob, both.", "figure Ann and Bob", "row Ann and Bob",
            ])
    }
}
