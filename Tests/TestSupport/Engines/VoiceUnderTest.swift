/// A voice whose files a test may change.
package protocol VoiceUnderTest {
    func load(cacheDirectory: String?) throws -> LoadedModel
    func request(_ text: String) -> TestRequest
}

extension VoiceUnderTest {
    /// Speaks one request on a model of its own.
    package func speak(
        _ text: String, _ change: (inout TestRequest) -> Void = { _ in },
        goOn: @escaping (Recording) -> Bool = { _ in true }
    ) throws -> Recording {
        let model = try load(cacheDirectory: nil)
        defer { model.unload() }
        let lane = try model.open()
        defer { lane.close() }
        var request = request(text)
        change(&request)
        return lane.speak(request, goOn: goOn)
    }

    /// The error when the voice is loaded; `nil` if there is none.
    package func loadError() throws -> ErrorReport.Failure? {
        do {
            try load(cacheDirectory: nil).unload()
            return nil
        } catch let failure as ErrorReport.Failure {
            return failure
        }
    }
}
