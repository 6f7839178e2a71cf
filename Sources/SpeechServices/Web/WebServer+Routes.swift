extension WebServer {
    /// All that a service says over HTTP.
    ///
    /// - Parameter page: nil = there is none.
    package convenience init(
        _ service: SpeechService, _ words: ServiceWords, _ access: WebAccess, page: PageFiles?
    ) {
        let (ending, requests) = (WebEnding(), WebRequestCounts())
        let speech = SpeechRoutes(service: service, words: words).routes
        let figures = FigureRoutes(service: service, requests: requests, ending: ending).routes
        let files = page.map { PageRoutes(files: $0).routes } ?? []
        self.init(
            service, words, access, speech + SessionRoutes(access: access).routes + figures + files,
            requests: requests, ending: ending)
    }
}
