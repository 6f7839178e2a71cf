import Testing

@testable import SynthHTTPServer

@Suite("Query strings and forms")
struct HTTPQueryTests {
    @Test(
        "A query string is decoded",
        arguments: [
            ("", []), ("&&", []), ("a", [("a", "")]), ("a=b", [("a", "b")]), ("a=b=c", [("a", "b=c")]),
            ("=b", [("", "b")]),
            ("a+b=c+d", [("a b", "c d")]), ("a%2Bb=%26%3D", [("a+b", "&=")]),
            ("t=Gr%C3%BC%c3%9fe%0D%0A%F0%9F%91%8B", [("t", "Grüße\r\n👋")]),
            ("a=1&&b=2&", [("a", "1"), ("b", "2")]), ("a=1&A=2", [("a", "1"), ("A", "2")]),
            ("a=/?[]{}|", [("a", "/?[]{}|")]),
        ] as [(String, [(String, String)])])
    func decoded(text: String, fields: [(String, String)]) throws {
        let query = try #require(HTTPQuery(text.utf8))
        #expect(query.fields == fields.map(HTTPQuery.Field.init))
        for (name, value) in fields { #expect(query[name] == value) }
        #expect(query["none"] == nil)
    }

    @Test(
        "An invalid query string is rejected",
        arguments: [
            "%", "%1", "a=%", "a=%0", "a=%zz", "a=%%30", "a=%-1", "a=%00", "%00", "a=%ff", "a=%c3", "a=%ed%a0%80",
            "a=%c0%80", "a=1&a=1", "a&a", "a&%61=",
            "a b", "a=\n", "a=\0", "ä=1", "a=\u{7F}",
        ])
    func refused(text: String) {
        #expect(HTTPQuery(text.utf8) == nil)
    }

    @Test("The number of fields is limited")
    func limit() {
        let names = (0..<HTTPQuery.maximumFields).map { "n\($0)=1" }
        #expect(HTTPQuery(names.joined(separator: "&").utf8)?.fields.count == HTTPQuery.maximumFields)
        #expect(HTTPQuery((names + ["x"]).joined(separator: "&").utf8) == nil)
    }
}
