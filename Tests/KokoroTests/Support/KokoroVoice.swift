import CSynthEngine
import TestSupport

/// A voice that uses the test model unless the test changes the model or the style file.
struct KokoroVoice: VoiceUnderTest {
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
}
