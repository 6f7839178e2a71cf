/// A voice whose files a test may change.
package protocol VoiceUnderTest {
    func load(cacheDirectory: String?) throws -> LoadedModel
    func request(_ text: String) -> TestRequest
}

extension VoiceUnderTest {
    /// Speaks a single request with a separate model.
    package func speak(
        _ text: String, _ change: (inout TestRequest) -> Void = { _ in },
        shouldContinue: @escaping (Recording) -> Bool = { _ in true }
    ) throws -> Recording {
        let model = try load(cacheDirectory: nil)
        defer { model.unload() }
        let lane = try model.open()
        defer { lane.close() }
        var request = request(text)
        change(&request)
        return lane.speak(request, shouldContinue: shouldContinue)
    }

    /// Speaks all texts concurrently, five times each, on lanes of one model. Returns the samples of each text's last
    /// run, in the order of the texts.
    package func speakAtOnce(_ texts: [String]) async throws -> [[Float]] {
        let model = try load(cacheDirectory: nil)
        defer { model.unload() }
        let work = try texts.map { (request: request($0), lane: try model.open()) }
        defer { for (_, lane) in work { lane.close() } }
        return await withTaskGroup(of: (Int, [Float]).self) { group in
            for (index, (request, lane)) in work.enumerated() {
                group.addTask {
                    var request = request
                    var samples: [Float] = []
                    for serial in 1...5 {
                        request.serial = UInt64(serial)
                        samples = lane.speak(request).samples
                    }
                    return (index, samples)
                }
            }
            var spoken = [[Float]](repeating: [], count: work.count)
            for await (index, samples) in group { spoken[index] = samples }
            return spoken
        }
    }

    /// Returns the error from loading the voice; `nil` if it can be loaded.
    package func loadError() throws -> ErrorReport.Failure? {
        do {
            try load(cacheDirectory: nil).unload()
            return nil
        } catch let failure as ErrorReport.Failure {
            return failure
        }
    }
}
