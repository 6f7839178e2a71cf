/// The page, and what it is made of.
struct PageRoutes {
    let files: PageFiles

    /// Nothing is loaded from elsewhere, nothing is run that is not a file of the page, and no other page shows it.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "media-src 'self' blob:", "font-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    var routes: [WebRoute] {
        [
            WebRoute("GET", .exact("/"), .nothing) { [files] request, answer throws(WebFailure) in
                try Self.send(files.file("index.html"), request, answer)
            },
            WebRoute("GET", .exact("/page/text.json"), .nothing) { [files] request, answer throws(WebFailure) in
                let accepted = request.head.headers.values("accept-language").joined(separator: ", ")
                try Self.send(files.text(request.query["lang"], acceptedBy: accepted), request, answer)
            },
            WebRoute("GET", .below("/page/"), .nothing) { [files] request, answer throws(WebFailure) in
                try Self.send(files.file(String(request.path.dropFirst("/page/".count))), request, answer)
            },
        ]
    }

    private static func send(
        _ file: PageFiles.File?, _ request: WebRequest, _ answer: WebAnswer
    ) throws(WebFailure) {
        guard let file else { throw .problem(.notFound) }
        let headers = [
            (name: "Cache-Control", value: "no-cache"), (name: "ETag", value: file.tag),
            (name: "Vary", value: "Accept-Language"), (name: "Content-Security-Policy", value: policy),
            (name: "X-Frame-Options", value: "DENY"), (name: "Cross-Origin-Opener-Policy", value: "same-origin"),
        ]
        if request.head.headers["if-none-match"] == file.tag {
            return try answer.sendNothing(.notModified, headers)
        }
        try answer.send(.ok, file.contentType, file.bytes, headers)
    }
}
