import SynthEngineWire
import Testing

@testable import SynthEngineLoading

@Suite("An engine that the loader does not take")
struct LoaderWordsTests {
    private func flaw(_ words: String) -> Refusal.Flaw {
        EngineLibrary.refusal(of: "/plugins/libMine.so", inWordsOf: words).flaw
    }

    @Test("lacks the library that is named", arguments: ["libespeak-ng.so.1", "libswift_Differentiation.so"])
    func missing(name: String) {
        let words = "\(name): cannot open shared object file: No such file or directory"
        #expect(flaw(words) == .lacksLibrary(name))
    }

    @Test("finds no memory, or may not run there")
    func memory() {
        let words = "libFLAC.so.12: failed to map segment from shared object"
        #expect(flaw(words) == .cannotBeMapped(words))
    }

    @Test(
        "is refused in the loader's words, without its own name",
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
