extension WebServer {
    /// All that a service says over HTTP.
    ///
    /// - Parameter page: nil = there is none.
    package convenience init(
        _ service: SpeechService, _ words: ServiceWords, _ access: WebAccess, page: PageFiles?
    ) {
        let speech = SpeechRoutes(service: service, words: words).routes
        let files = page.map { PageRoutes(files: $0).routes } ?? []
        self.init(service, words, access, speech + files)
    }
}
