import Glibc
import SynthHTTPServer
import SynthJSON
import SynthService
package import SynthSystem

/// Serves the page's files.
struct PageRoutes {
    let files: PageFiles

    /// The content security policy. The page loads nothing from other servers, runs only its own scripts, and cannot be
    /// embedded in other pages.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "media-src 'self' blob:", "font-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    /// The permissions policy. The page may use the microphone if the user agrees, but neither the camera nor the
    /// location. Embedded pages may use none of them.
    private static let devices = "microphone=(self), camera=(), geolocation=()"

    var routes: [WebRoute] {
        [
            WebRoute("GET", .exact("/"), .nothing) { [files] request, answer in
                try Self.send(files.file("index.html"), request, answer)
            },
            WebRoute("GET", .exact("/page/text.json"), .nothing) { [files] request, answer in
                let accepted = request.head.headers.values("accept-language").joined(separator: ", ")
                try Self.send(files.text(request.query["lang"], acceptedBy: accepted), request, answer)
            },
            WebRoute("GET", .below("/page/"), .nothing) { [files] request, answer in
                try Self.send(files.file(String(request.path.dropFirst("/page/".count))), request, answer)
            },
        ]
    }

    private static func send(
        _ file: PageFiles.File?, _ request: WebRequest, _ answer: WebAnswer
    ) throws {
        guard let file else { throw WebFailure.problem(.notFound) }
        let headers = [
            (name: "Cache-Control", value: "no-cache"), (name: "ETag", value: file.tag),
            (name: "Vary", value: "Accept-Language"), (name: "Content-Security-Policy", value: policy),
            (name: "X-Frame-Options", value: "DENY"), (name: "Cross-Origin-Opener-Policy", value: "same-origin"),
            (name: "Permissions-Policy", value: devices),
        ]
        if request.head.headers["if-none-match"] == file.tag {
            return try answer.sendNothing(.notModified, headers)
        }
        try answer.send(.ok, file.contentType, file.bytes, headers)
    }
}

/// The page's files, read when the service starts. No other files are served, and links are skipped.
package struct PageFiles: Sendable {
    struct File: Sendable {
        let contentType: String
        let bytes: [UInt8]
        /// The entity tag, which changes with the content.
        let tag: String

        init(_ contentType: String, _ bytes: [UInt8]) {
            self.contentType = contentType
            self.bytes = bytes
            tag = "\"\(ContentHash(bytes).hexadecimal)\""
        }
    }
    /// The files by path relative to the folder, such as "index.html" or "text/de.json".
    private let files: [String: File]
    /// The page's strings in each language. Each file includes the names of all languages.
    private let texts: [(language: String, file: File)]

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "svg": "image/svg+xml", "png": "image/png",
    ]
    private static let longestFile = 4 << 20

    /// - Throws: an error if `index.html` is missing, if a file cannot be read, or if a file of strings is not valid
    ///   JSON.
    package init(folder: String) throws(SpeechError) {
        var files: [String: File] = [:]
        try Self.read(folder, below: "", into: &files)
        guard files["index.html"] != nil else { throw .pageMissing("\(folder)/index.html") }
        self.files = files
        texts = try Self.texts(files, in: folder)
    }

    func file(_ path: String) -> File? { files[path] }

    /// Returns the page's strings in the user's language or, if they are not available, in English.
    ///
    /// - Parameter language: the requested language tag, or nil to use the header.
    func text(_ language: String?, acceptedBy header: String) -> File? {
        let known = texts.map(\.language)
        let choice = AcceptedLanguages(language ?? header).choice(of: known) ?? known.first
        return texts.first { $0.language == choice }?.file
    }

    private static func read(
        _ folder: String, below prefix: String, into files: inout [String: File]
    ) throws(SpeechError) {
        let names = try rethrowing(FolderListing.read(folder)) { SpeechError.pageNotRead(folder, $0) }
        for name in names where !name.hasPrefix(".") {
            let path = folder.child(name)
            func failure(_ error: Errno) -> SpeechError { .pageNotRead(path, error) }
            // Skip links, because they may point to any file or form a loop.
            switch try rethrowing(kind(of: path), as: failure) {
            case S_IFDIR: try read(path, below: "\(prefix)\(name)/", into: &files)
            case S_IFREG:
                // Skip files of other types, which are meant only for the page's developers.
                guard let dot = name.lastIndex(of: "."), let type = types[String(name[name.index(after: dot)...])]
                else { continue }
                files[prefix + name] = File(
                    type, try rethrowing(readWholeFile(path, limit: longestFile), as: failure))
            default: continue
            }
        }
    }

    private static func kind(of path: String) throws(Errno) -> mode_t {
        var status = stat()
        try Errno.check { lstat(path, &status) }
        return status.st_mode & S_IFMT
    }

    private static func texts(
        _ files: [String: File], in folder: String
    ) throws(SpeechError) -> [(language: String, file: File)] {
        var texts: [(language: String, members: [JSONNode.Member])] = []
        for (path, file) in files where path.hasPrefix("text/") && path.hasSuffix(".json") {
            do {
                let members = try JSONReader.read(file.bytes).members
                texts.append((String(path.dropFirst("text/".count).dropLast(".json".count)), members))
            } catch {
                throw .pageNotJSON("\(folder)/\(path)", error)
            }
        }
        // English is first, because it is the fallback.
        texts.sort { ($0.language != "en" ? 1 : 0, $0.language) < ($1.language != "en" ? 1 : 0, $1.language) }
        let names = texts.map { text in
            JSONNode.Member(text.language, text.members.first { $0.name == "name" }?.node.value ?? .null)
        }
        return texts.map { text in
            let all: [JSONNode.Member] =
                [.init("lang", .string(text.language)), .init("languages", .object(names))] + text.members
            return (text.language, File("application/json", Array(JSONWriter.line(of: JSONNode(all)).utf8)))
        }
    }
}

/// Errors in the page's files.
extension SpeechError {
    static func pageMissing(_ path: String) -> SpeechError {
        SpeechError(
            .pageUnusable, "The page file \(path) is missing.", Facts(path: path),
            remedy: .repairPage(.reinstall))
    }

    static func pageNotRead(_ path: String, _ reason: Errno) -> SpeechError {
        SpeechError(
            .pageUnusable, "The page file \(path) cannot be read: \(reason).",
            Facts(path: path, reason: "\(reason)", errno: reason.code), remedy: .repairPage(.permit), cause: reason)
    }

    static func pageNotJSON(_ path: String, _ error: JSONSyntaxError) -> SpeechError {
        SpeechError(
            .pageUnusable, "\(path), line \(error.line), is not JSON: \(error.reason).",
            Facts(path: path, line: error.line, reason: error.reason), remedy: .repairPage(.correct), cause: error)
    }
}

/// Exchanges the token for a cookie: `/api/session`.
struct SessionRoutes: Sendable {
    let access: WebAccess

    var routes: [WebRoute] {
        [
            WebRoute("GET", .exact("/api/session"), .nothing) { [access] request, answer in
                try access.countGuess(in: request.head)
                try answer.send(
                    json: JSONNode([.init("trusted", request.isTrusted), .init("open", access.isOpen)]))
            },
            WebRoute("POST", .exact("/api/session"), .token) { [access] request, answer in
                let cookie = access.cookieToSet(path: request.query["path"])
                try answer.sendNothing(.noContent, [("Set-Cookie", cookie), Self.uncached])
            },
            WebRoute("DELETE", .exact("/api/session"), .nothing) { request, answer in
                let cookie = WebAccess.cookieToRemove(path: request.query["path"])
                try answer.sendNothing(.noContent, [("Set-Cookie", cookie), Self.uncached])
            },
        ]
    }

    private static let uncached = (name: "Cache-Control", value: "no-store")
}
