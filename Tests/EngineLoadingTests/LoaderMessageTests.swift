import SynthEngineWire
import Testing

@testable import SynthEngineLoading

@Suite("Engines that the loader rejects")
struct LoaderMessageTests {
    private func flaw(_ words: String) -> Refusal.Flaw {
        EngineLibrary.refusal(of: "/plugins/libMine.so", inWordsOf: words).flaw
    }

    @Test("The error names the missing library", arguments: ["libespeak-ng.so.1", "libswift_Differentiation.so"])
    func missing(name: String) {
        let words = "\(name): cannot open shared object file: No such file or directory"
        #expect(flaw(words) == .lacksLibrary(name))
    }

    @Test("A library that cannot be mapped is reported as such")
    func memory() {
        let words = "libFLAC.so.12: failed to map segment from shared object"
        #expect(flaw(words) == .cannotBeMapped(words))
    }

    @Test(
        "For any other error, the loader's message is reported without the engine's own path",
        arguments: [
            ("/plugins/libMine.so: undefined symbol: not_there", "undefined symbol: not_there"),
            (
                "/plugins/libMine.so: cannot open shared object file: No such file or directory",
                "cannot open shared object file: No such file or directory"
            ), ("libMine.so: file too short", "libMine.so: file too short"), ("", ""),
        ])
    func others(words: String, detail: String) {
        #expect(flaw(words) == .cannotBeLoaded(detail))
    }
}
