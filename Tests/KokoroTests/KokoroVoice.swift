import CSynthEngine
import TestSupport

/// The model of the tests, or another, with style files.
struct KokoroVoice {
    var model = Fixtures.model
    var lexicon: String?
    var style = Fixtures.voice("af_tern.bin")
    var id = "af_tern"

    func load(cacheDirectory: String? = nil) throws -> LoadedModel {
        var files = ["model": model]
        files["lexicon"] = lexicon
        return try LoadedEngine(product: "Kokoro").load("kokoro-tern", files: files, cacheDirectory: cacheDirectory)
    }

    func request(_ text: String) -> TestRequest {
        var request = TestRequest(text, voice: id)
        request.files = ["style": style]
        return request
    }

    /// Speaks one request on a model of its own.
    func speak(
        _ text: String, _ change: (inout TestRequest) -> Void = { _ in },
        goOn: @escaping (Recording) -> Bool = { _ in true }
    ) throws -> Recording {
        let model = try load()
        defer { model.unload() }
        let lane = try model.open()
        defer { lane.close() }
        var request = request(text)
        change(&request)
        return lane.speak(request, goOn: goOn)
    }

    /// Why it cannot be loaded.
    func failure() throws -> ErrorReport.Failure? {
        do {
            try load().unload()
            return nil
        } catch let failure as ErrorReport.Failure {
            return failure
        }
    }
}
