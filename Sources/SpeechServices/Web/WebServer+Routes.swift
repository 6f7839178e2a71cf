extension WebServer {
    /// All that a service says over HTTP.
    ///
    /// - Parameters:
    ///   - page: nil = there is none.
    ///   - library: nil = voices are managed elsewhere.
    package convenience init(
        _ service: SpeechService, _ words: ServiceWords, _ access: WebAccess, page: PageFiles?,
        library: ServiceLibrary? = nil
    ) {
        let (ending, requests) = (WebEnding(), WebRequestCounts())
        if let library { ending.add { library.end() } }
        let spool = WebSpool(folder: service.limits.spoolFolder, limit: service.limits.spoolBytes)
        let speech = SpeechRoutes(service: service, words: words, library: library, spool: spool).routes
        let streams = VoiceEventStreams(limit: service.limits.eventStreams)
        let voices = library.map { VoiceRoutes(library: $0, words: words, streams: streams).routes } ?? []
        let figures = FigureRoutes(service: service, requests: requests, ending: ending).routes
        let files = page.map { PageRoutes(files: $0).routes } ?? []
        self.init(
            service, words, access, speech + voices + SessionRoutes(access: access).routes + figures + files,
            requests: requests, ending: ending)
    }
}
