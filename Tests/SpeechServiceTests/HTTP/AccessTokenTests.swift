import Testing

@testable import SynthHTTPServer

@Suite("Access tokens")
struct AccessTokenTests {
    private static let text = "0123456789abcdefXYZ-._~+/=="

    private func headers(_ lines: [(String, String)]) throws -> HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in lines { try headers.add(name, value) }
        return headers
    }

    @Test("A token matches only itself")
    func matching() throws {
        let token = try #require(AccessToken(Self.text))
        #expect(token.matches(Self.text))
        for other in [
            "", "0", String(Self.text.dropLast()), Self.text + "=", Self.text + Self.text, Self.text.uppercased(),
        ] {
            #expect(!token.matches(other), "\(other)")
        }
        for place in Self.text.indices {
            #expect(!token.matches(Self.text.replacingCharacters(at: place)), "\(place)")
        }
    }

    @Test("A token must be a valid secret and is never printed")
    func secrets() throws {
        let many = String(repeating: "a", count: 512)
        #expect(AccessToken(many) != nil && AccessToken(String(many.prefix(16))) != nil)
        for text in [
            many + "a", String(many.prefix(15)), "0123456789 abcdef", "0123456789abcdef\n", "0123456789abc=def",
            "================", "0123456789abcdefä",
        ] {
            #expect(AccessToken(text) == nil, "\(text)")
        }
        let token = try #require(AccessToken(Self.text))
        var dumped = ""
        dump(token, to: &dumped)
        let shown = "\(token) \(String(reflecting: token)) \(dumped)"
        #expect(!shown.contains("0123") && !shown.contains("48"))
    }

    @Test(
        "The token is read from a single, well-formed Authorization header",
        arguments: [
            (["Bearer abc"], "abc"), (["bEARER a=="], "a=="), ([], nil), (["Bearer"], nil), (["Bearer a b"], nil),
            (["Bearer  a"], nil),
            (["Basic abc"], nil), (["abc"], nil), (["Bearer a,b"], nil), (["Bearer a=b"], nil),
            (["Bearer a", "Bearer a"], nil), (["Bearerabc"], nil),
        ] as [([String], String?)])
    func bearer(values: [String], expected: String?) throws {
        #expect(AccessToken.bearer(try headers(values.map { ("Authorization", $0) })) == expected)
    }

    @Test(
        "The token is read from a single cookie",
        arguments: [
            (["key=abc"], "abc"), (["a=b; key=abc; c"], "abc"), (["a=\"x,y\";key=abc"], "abc"),
            (["a=b", "key=abc"], "abc"), (["key="], ""),
            (["key=a=b"], "a=b"), ([], nil), (["Key=abc"], nil), (["xkey=abc"], nil), (["key =abc"], nil),
            (["key=\"abc\""], nil),
            (["key=a b"], nil), (["key=a,b"], nil), (["key=a; key=a"], nil), (["key=a", "key=b"], nil),
            (["key=ä"], nil), (["key"], nil),
        ] as [([String], String?)])
    func cookie(values: [String], expected: String?) throws {
        #expect(AccessToken.cookie("key", try headers(values.map { ("Cookie", $0) })) == expected)
    }

    @Test("A cookie is used only if there is no Authorization header")
    func carried() throws {
        let token = try #require(AccessToken(Self.text))
        let bearer = ("Authorization", "Bearer \(Self.text)")
        let wrong = ("Authorization", "Bearer \(Self.text)x")
        let cookie = ("Cookie", "key=\(Self.text)")
        let cases = [
            ([bearer], true), ([cookie], true), ([bearer, cookie], true), ([wrong, cookie], false), ([wrong], false),
            ([], false),
        ]
        for (lines, isCarried) in cases {
            #expect(token.isCarried(by: try headers(lines), cookie: "key") == isCarried, "\(lines)")
        }
        #expect(!token.isCarried(by: try headers([cookie]), cookie: "other"))
    }
}

extension String {
    /// Returns the string with a different character at one position.
    fileprivate func replacingCharacters(at place: Index) -> String {
        self[..<place] + (self[place] == "a" ? "b" : "a") + self[index(after: place)...]
    }
}
