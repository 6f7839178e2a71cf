import Glibc
import SynthSystem
import Testing
import TestSupport

@testable import SynthHTTPServer

@Suite("Access token files")
struct AccessTokenFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("a/b/http-token") }

    init() throws { folder = try TemporaryFolder() }

    private func mode() -> UInt32 {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test("The file is created once, readable only by this user, and reused later")
    func kept() throws {
        let token = try AccessToken.kept(at: path)
        #expect(token.secret.utf8.count == 64 && token.secret.allSatisfy(\.isHexDigit))
        #expect(mode() == 0o600)
        #expect(try AccessToken.kept(at: path).secret == token.secret)
        #expect(try folder.data("a/b/http-token").elementsEqual("\(token.secret)\n".utf8))
        // There are no other files.
        #expect(try folder.entries() == ["a", "a/b", "a/b/http-token"])
        #expect(try AccessToken.kept(at: folder.file("other")).secret != token.secret)
    }

    @Test("Processes that create the file concurrently get the same token")
    func together() throws {
        let secrets = Monitor<[String]>([])
        for _ in 0..<8 {
            startThread("maker") { [path] in
                let secret = (try? AccessToken.kept(at: path).secret) ?? "none"
                secrets.update { $0.append(secret) }
            }
        }
        let all = try #require(secrets.wait(timeout: .seconds(600)) { $0.count == 8 ? $0 : nil })
        #expect(Set(all).count == 1 && all[0].utf8.count == 64)
        #expect(try folder.entries() == ["a", "a/b", "a/b/http-token"])
    }

    @Test(
        "A file that other users can access is not used", arguments: [0o644, 0o640, 0o606, 0o620, 0o601] as [UInt32])
    func shared(mode: UInt32) throws {
        _ = try AccessToken.kept(at: path)
        #expect(chmod(path, mode) == 0)
        #expect(throws: SpeechError.tokenNotSecret(path)) { try AccessToken.kept(at: path) }
        #expect(throws: SpeechError.tokenNotSecret(path)) { try AccessToken.given(in: path) }
    }

    @Test(
        "Another user's file is not used", .enabled(if: geteuid() == 0, "Only root can give a file to another user.")
    )
    func foreign() throws {
        _ = try AccessToken.kept(at: path)
        #expect(chown(path, 65_534, 65_534) == 0)
        #expect(throws: SpeechError.tokenOfOtherUser(path)) { try AccessToken.kept(at: path) }
    }

    @Test(
        "A file with invalid content yields no token",
        arguments: ["", "\n", "short\n", "two words are no token at all", "0123456789abcdef\n0123456789abcdef\n"])
    func content(text: String) throws {
        try folder.write(text.utf8, to: "a/b/http-token")
        #expect(chmod(path, 0o600) == 0)
        #expect(throws: SpeechError.noToken(path)) { try AccessToken.kept(at: path) }
        #expect(throws: SpeechError.noToken(path)) { try AccessToken.given(in: path) }
    }

    @Test("A large file is read only up to the maximum length of a token")
    func large() throws {
        try folder.write(Array(repeating: UInt8(ascii: "a"), count: 10_000_000), to: "t")
        #expect(chmod(folder.file("t"), 0o600) == 0)
        #expect(throws: SpeechError.noToken(folder.file("t"))) {
            try AccessToken.given(in: folder.file("t"))
        }
        let longest = String(repeating: "a", count: AccessToken.longest)
        for end in ["", "\n", "\r\n"] {
            try folder.write("\(longest)\(end)".utf8, to: "t")
            #expect(chmod(folder.file("t"), 0o600) == 0)
            #expect(try AccessToken.given(in: folder.file("t")).secret == longest)
        }
    }

    @Test("If a file cannot be used or created, the system's error is reported")
    func failures() throws {
        #expect(throws: SpeechError.tokenUnusable(folder.path, .isFolder)) {
            try AccessToken.kept(at: folder.path)
        }
        try folder.write([], to: "file")
        let below = folder.file("file/token")
        #expect(throws: SpeechError.tokenUnusable(below, Errno(ENOTDIR))) { try AccessToken.kept(at: below) }
        let fifo = folder.file("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        #expect(throws: SpeechError.tokenUnusable(fifo, .invalid)) { try AccessToken.given(in: fifo) }
        let missing = folder.file("missing")
        #expect(throws: SpeechError.tokenUnusable(missing, .notFound)) { try AccessToken.given(in: missing) }
    }
}
