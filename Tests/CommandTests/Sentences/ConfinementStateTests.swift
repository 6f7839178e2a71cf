import EngineProcesses
import EngineWire
import Testing

@testable import Sentences

@Suite("The sentences of how far engines are confined")
struct ConfinementStateTests {
    private static func state(
        _ choice: EngineConfinement, landlock: Int = 7, hasCallFilter: Bool = true
    ) -> ConfinementState {
        var limits = EngineLimits()
        limits.confinement = choice
        return ConfinementState(limits, landlock: landlock, hasCallFilter: hasCallFilter)
    }

    @Test("say that all is well only if it is")
    func whole() {
        #expect(Self.state(.usual).isWhole && Self.state(.usual).remedy == nil)
        #expect(Self.state(.usual, landlock: 1).isWhole)
        #expect(!Self.state(.off).isWhole)
        #expect(!Self.state(.usual, landlock: 0).isWhole)
        #expect(!Self.state(.required, hasCallFilter: false).isWhole)
    }

    @Test("name what the system lacks, what follows, and what to type")
    func gaps() {
        let files = Self.state(.usual, landlock: 0)
        #expect(files.message.contains("no Landlock") && !files.message.contains("system calls"))
        let both = Self.state(.required, landlock: 0, hasCallFilter: false)
        #expect(both.message.contains("no Landlock") && both.message.contains("no filters for system calls"))
        #expect(both.message.hasSuffix("none is loaded, as limits.confinement asks for"))
        #expect(both.remedy?.hasSuffix("synthhost config set limits.confinement usual") == true)
        #expect(Self.state(.off).remedy?.hasSuffix("synthhost config unset limits.confinement") == true)
    }
}
