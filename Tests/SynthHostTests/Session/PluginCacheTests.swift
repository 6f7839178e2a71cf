import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Engines held by sessions")
struct PluginCacheTests {
    @Test("Sessions share an engine, which exits when the last session ends")
    func sharing() {
        let shelf = PluginCache<Engine>()
        let made = Monitor(0)
        func engine() -> Engine? {
            shelf.plugin(of: "/x.so") {
                made.update { $0 += 1 }
                return Engine(
                    file: "/x.so",
                    description: EngineDescription(id: "x", name: "X", version: "1", license: "Apache-2.0"),
                    program: WorkerProgram(path: "/none", logFolder: "/none"))
            }
        }
        var first = engine()
        var second = engine()
        #expect(first != nil && first === second)
        #expect(made.read { $0 } == 1)
        (first, second) = (nil, nil)
        first = engine()
        #expect(first != nil && made.read { $0 } == 2)
    }
}
