import Foundation
import Testing

@testable import synthhost_read
@testable import SynthDocuments

/// Pages that are not UTF-8, or only partly UTF-8.
@Suite("Markup encodings")
struct MarkupEncodingTests {
    private func outline(_ parts: [UInt8]...) throws -> [String] {
        try Document.read(parts.flatMap { $0 }, as: .page).outline
    }

    private func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// "Привет" in KOI8-R and in windows-1251.
    private static let koi8: [UInt8] = [0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4]
    private static let windows1251: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]

    @Test(
        "UTF-8 text with an invalid byte is read completely",
        arguments: [
            "<html><p>", "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>",
            "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>",
        ])
    func nearlyUTF8(start: String) throws {
        for text in ["One\u{201D} two", "Начало и конец", "češka s č"] {
            for bad: [UInt8] in [[0xE9], [0xD0, 0x20], [0x81]] {
                let read = try outline(ascii(start), bad, ascii("</p><p>\(text)</p><p>end</p></body></html>"))
                #expect(read.suffix(2) == ["p \(text)", "p end"])
                #expect(read.count == 4 && read[1].hasPrefix("p \u{FFFD}"))
            }
        }
        #expect(try outline(ascii("<html><p>Начало</p><p>конец"), [0xD1]).last == "p конец\u{FFFD}")
    }

    @Test("Text that is not UTF-8 and has no declaration is decoded as windows-1252 and is never truncated")
    func windows1252() throws {
        let all = [UInt8](0x80...0xFF)
        for byte in all {
            let read = try outline(ascii("<html><p>a"), [0xE9, byte, 0xE9, 0x20], ascii("b</p><p>end"))
            #expect(read.count == 3 && read[1].hasPrefix("p a\u{E9}") && read[2] == "p end", "\(byte)")
        }
        let page = try outline(
            ascii("<html><p>"), [0x93], ascii("caf"), [0xE9, 0x94, 0x20, 0x97, 0x20, 0x80], ascii("5"))
        #expect(page == ["# -", "p \u{201C}caf\u{E9}\u{201D} \u{2014} \u{20AC}5"])
        // In windows-1252, the bytes of É and a closing quotation mark are also a valid UTF-8 sequence.
        #expect(try outline(ascii("<html><p>"), [0x93, 0xC9, 0x94]) == ["# -", "p \u{201C}\u{C9}\u{201D}"])
        // XML without a declaration is also read as windows-1252 if it contains no valid UTF-8 sequence.
        let xml = "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>caf"
        #expect(try outline(ascii(xml), [0xE9], ascii("</p></body></html>")) == ["# -", "p caf\u{E9}"])
        #expect(
            PlainTextReader(ascii("Начало ") + [0xE9] + ascii(" конец")).text == "Начало \u{FFFD} конец")
    }

    @Test(
        "The first valid declaration applies",
        arguments: [
            "<meta name=description content=\"Encoding problems\"><meta charset=windows-1251>",
            "<meta name=description content=\"text with charset=koi8-r\"><meta charset=windows-1251>",
            "<!-- charset=koi8-r <meta charset=koi8-r> --><meta charset='windows-1251'>",
            "<title>The charset of a page</title><META CHARSET = Windows-1251 >",
            "<script charset=\"utf-8\" src=a.js></script><meta charset=cp1251>",
            "<script>document.write('<meta charset=koi8-r>')</script><meta charset=windows-1251>",
            "<style>@charset \"utf-8\"; a<meta charset=utf-8></style><meta charset=windows-1251>",
            "<form accept-charset=utf-8></form><meta charset=windows-1251>",
            "<link charset=utf-8 title='<meta charset=koi8-r>'><meta charset=windows-1251>",
            "<meta charset=no-such-encoding><meta charset=ibm037><meta charset=windows-1251>",
            "<meta content='text/html; charset=windows-1251' http-equiv=Content-Type>",
            "<meta http-equiv=\"Content-Type\" content=\"text/html;charset = windows-1251 \"><meta charset=koi8-r>",
            "<!--\(String(repeating: " a long license", count: 2000))--><meta charset=windows-1251>",
        ])
    func declarations(head: String) throws {
        let page = [
            ascii("<!DOCTYPE html><html><head>\(head)</head><body><p>"), Self.windows1251, ascii("</p></body></html>"),
        ]
        #expect(try Document.read(page.flatMap { $0 }, as: .page).outline == ["# -", "p Привет"])
    }

    @Test("The XML declaration takes precedence over a meta tag")
    func declarationOfXML() throws {
        for quote in ["\"", "'"] {
            let start =
                "<?xml version=\"1.0\" encoding=\(quote)KOI8-R\(quote)?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\">"
            let head = "<head><meta charset=\"windows-1251\"/></head><body><p>"
            #expect(try outline(ascii(start + head), Self.koi8, ascii("</p></body></html>")) == ["# -", "p Привет"])
        }
    }

    @Test(
        "Any encoding that the system supports is accepted, provided that markup is encoded as in ASCII",
        arguments: [
            ("ibm866", [0x8F, 0xE0, 0xA8, 0xA2, 0xA5, 0xE2], "Привет"), ("cp866", [0x8F, 0xE0, 0xA8, 0xA2], "Прив"),
            ("koi8-u", koi8, "Привет"), ("x-mac-cyrillic", [0x8F, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"),
            ("cp437", [0x82], "é"), ("cp852", [0xA7], "ž"), ("iso-8859-2", [0xBE, 0x6C, 0x75, 0xBB], "žluť"),
            ("ks_c_5601-1987", [0xBE, 0xC8, 0xB3, 0xE7, 0x8C, 0x63], "안녕똠"), ("euc-kr", [0xBE, 0xC8], "안"),
            ("johab", [0xB4, 0x65, 0x91, 0x77], "안녕"), ("viscii", [0x56, 0x69, 0xAE, 0x74], "Việt"),
            ("shift_jis", [0x93, 0xFA, 0x96, 0x7B, 0x87, 0x40], "日本①"), ("x-sjis", [0x93, 0xFA], "日"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42], "日本"),
            ("gb2312", [0xD6, 0xD0, 0xCE, 0xC4], "中文"), ("big5", [0xB3, 0x5C, 0xA5, 0x5C, 0xA4, 0xA4], "許功中"),
            ("iso-8859-1", [0x93, 0xE9, 0x94], "\u{201C}é\u{201D}"), ("us-ascii", [0xE9], "é"),
        ] as [(String, [UInt8], String)])
    func known(label: String, bytes: [UInt8], text: String) throws {
        let page = try outline(ascii("<html><meta charset=\(label)><p>"), bytes, ascii(" a</p><p>b"))
        #expect(page == ["# -", "p \(text) a", "p b"])
        let start =
            "<?xml version=\"1.0\" encoding=\"\(label)\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>"
        #expect(try outline(ascii(start), bytes, ascii(" a</p></body></html>")) == ["# -", "p \(text) a"])
    }

    @Test("Invalid bytes become U+FFFD, and the text after them is kept")
    func failing() throws {
        for (label, bad) in [("euc-jp", [0xFF, 0x20, 0xA4]), ("euc-kr", [0xFF]), ("shift_jis", [0x81])]
            as [(String, [UInt8])]
        {
            let page = try outline(ascii("<html><meta charset=\(label)><p>a"), bad, ascii("</p><p>b</p><p>c"), bad)
            #expect(page.count == 4 && page[1].hasPrefix("p a\u{FFFD}") && page[2] == "p b", "\(label)")
            #expect(page[3].hasPrefix("p c\u{FFFD}"))
        }
        let many = try outline(ascii("<html><meta charset=euc-jp><p>a"), [UInt8](repeating: 0xFF, count: 100_000))
        #expect(many == ["# -", "p a" + String(repeating: "\u{FFFD}", count: 100_000)])
    }

    @Test("The encoding does not affect named character references")
    func namedCharacters() throws {
        for label in ["ISO-8859-1", "windows-1252", "iso-8859-15"] {
            let start =
                "<?xml version=\"1.0\" encoding=\"\(label)\"?><html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>"
            let page = try outline(ascii(start + "caf"), [0xE9], ascii("&nbsp;x&mdash;y &amp; z</p></body></html>"))
            #expect(page == ["# -", "p café x\u{2014}y & z"])
        }
        let latin = "<?xml version='1.0' encoding='ISO-8859-1'?><html xmlns='http://www.w3.org/1999/xhtml'><body>"
        #expect(try outline(ascii(latin + "<p>a&nbsp;b&mdash;c</p></body></html>")) == ["# -", "p a b\u{2014}c"])
    }

    @Test("The package document and a chapter may have different encodings")
    func book() throws {
        var book = TestBook(["<p>a</p>"])
        book["OEBPS/text/page1.xhtml"] = nil
        let page = TestBook.page("<p>").replacing("utf-8", with: "koi8-r").components(separatedBy: "</body>")
        book.pictures = [("OEBPS/text/page1.xhtml", ascii(page[0]) + Self.koi8 + ascii("</p></body>" + page[1]))]
        #expect(try book.read().outline == ["# -", "p Привет"])
    }

    @Test(
        "UTF-8 and UTF-16 are detected, regardless of the declaration",
        arguments: [
            "<html><meta charset=utf-8><p>caf\u{e9}", "<html><p>caf\u{e9}",
            "<html><meta charset=\"iso-8859-1\"><p>caf\u{e9}",
            "<html><meta http-equiv=Content-Type content=\"text/html; charset=windows-1252\"><p>caf\u{e9}",
        ])
    func encodings(page: String) throws {
        let latin = page.unicodeScalars.map { UInt8($0.value) }
        let says = page.contains("utf-8")
        #expect(try Document.read(latin, as: .page).outline == ["# -", says ? "p caf\u{FFFD}" : "p caf\u{e9}"])
        #expect(try Document.read(Array(page.utf8), as: .page).outline == ["# -", "p caf\u{e9}"])
        let wide = page.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        #expect(try Document.read([0xFE, 0xFF] + wide, as: .page).outline == ["# -", "p caf\u{e9}"])
    }
}
