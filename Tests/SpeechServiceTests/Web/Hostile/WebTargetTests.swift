import Foundation
import Glibc
import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthWeb

@Suite("Paths that lead outside the page", .ownThreads)
struct WebTargetTests {
    private let engine = TestEngine()

    /// A page with links to a private file next to it.
    private func page() throws -> (TemporaryFolder, PageFiles) {
        let folder = try TemporaryFolder()
        try folder.write("SECRET".utf8, to: "secret.json")
        try folder.write("<p>Page".utf8, to: "page/index.html")
        try folder.write("{\"name\":\"English\"}".utf8, to: "page/text/en.json")
        try folder.write("notes".utf8, to: "page/README.md")
        try folder.write("license".utf8, to: "page/LICENSE")
        try folder.write("hidden".utf8, to: "page/.hidden.js")
        #expect(symlink("../secret.json", folder.file("page/link.json")) == 0)
        #expect(symlink("..", folder.file("page/up")) == 0)
        #expect(symlink(".", folder.file("page/round")) == 0)
        #expect(symlink("nowhere", folder.file("page/gone.js")) == 0)
        #expect(mkfifo(folder.file("page/pipe.js"), 0o600) == 0)
        return (folder, try PageFiles(folder: folder.file("page")))
    }

    @Test(
        "A path outside the page is either rejected or not found",
        arguments: [
            "/../secret.json", "/page/../secret.json", "/page/../../secret.json", "/page/text/../../secret.json",
            "/page/%2e%2e/secret.json", "/page/%2E%2E%2Fsecret.json", "/page/..%2fsecret.json",
            "/page/%252e%252e/secret.json", "/page/%252e%252e%252fsecret.json", "/page/..\\secret.json",
            "/page/..%5csecret.json", "/page/%c0%ae%c0%ae/secret.json", "/page/%e0%80%ae%e0%80%ae/secret.json",
            "/page/index.html%00.js", "/page/secret.json%00", "/page//secret.json", "//secret.json",
            "/page/./index.html",
            "/page//etc/passwd", "/page/%2fetc/passwd", "/page/link.json", "/page/up/secret.json", "/page/up",
            "/page/round/index.html", "/page/gone.js", "/page/pipe.js", "/page/.hidden.js", "/page/README.md",
            "/page/LICENSE", "/page/text", "/page/text/", "/page/", "/page", "/secret.json", "/page/secret.json",
            "/page/text/en.json/", "/page/index.html/..", "/page/..;/secret.json", "/page/...", "/page/~", "/./",
            "/page/text/%65n.json%20", "/PAGE/index.html", "/page/INDEX.HTML", "http://127.0.0.1/page/index.html", "*",
            "/page/\u{FF0E}\u{FF0E}/secret.json",
        ])
    func refused(_ target: String) throws {
        let (folder, page) = try page()
        defer { withExtendedLifetime(folder) {} }
        try WebServing.run(engine, page: page) { web throws in
            let client = try web.client()
            try client.send(web.head("GET \(target) HTTP/1.1") + "\r\n")
            let reply = try client.reply()
            #expect([400, 404].contains(reply.status) && !reply.text.contains("SECRET"), "\(reply.status)")
        }
    }

    @Test("The page's files are served as they were when the service started")
    func there() throws {
        let (folder, page) = try page()
        try folder.write("changed".utf8, to: "page/index.html")
        try folder.write("new".utf8, to: "page/new.js")
        try WebServing.run(engine, page: page) { web throws in
            #expect(try web.ask("GET", "/").text == "<p>Page")
            #expect(try web.ask("GET", "/page/index.html").text == "<p>Page")
            #expect(try web.ask("GET", "/page/text/%65n.json").status == 200)
            #expect(try web.ask("GET", "/page/text.json?lang=en").json?.text("name") == "English")
            for language in ["../secret", "..%2Fsecret", "%2e%2e/secret", "de", "*", "x"] {
                let reply = try web.ask("GET", "/page/text.json?lang=\(language)")
                #expect(reply.status == 200 && reply.json?.text("lang") == "en", "\(language)")
            }
            #expect(try web.ask("GET", "/page/new.js").status == 404)
        }
    }

    @Test(
        "Responses restrict the page to this server and make the microphone available only to the page"
    )
    func headers() throws {
        let (folder, page) = try page()
        defer { withExtendedLifetime(folder) {} }
        try WebServing.run(engine, page: page) { web throws in
            for path in ["/", "/page/text.json", "/page/index.html"] {
                let reply = try web.ask("GET", path)
                #expect(reply["permissions-policy"] == "microphone=(self), camera=(), geolocation=()")
                let policy = try #require(reply["content-security-policy"]).split(separator: "; ").map(
                    String.init)
                #expect(policy.first == "default-src 'none'")
                // The page needs its own scripts, connections for its sockets, and blobs for playing back recordings.
                for part in [
                    "script-src 'self'", "connect-src 'self'", "media-src 'self' blob:", "frame-ancestors 'none'",
                ] {
                    #expect(policy.contains(part), "\(part)")
                }
            }
        }
    }
}
