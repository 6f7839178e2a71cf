import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing

@testable import SynthCommandSyntax

@Suite("Confinement messages")
struct ConfinementStateTests {
    private static func state(
        _ choice: EngineConfinement, landlock: Confinement.Obstacle? = nil, calls: Confinement.Obstacle? = nil
    ) -> ConfinementState {
        var limits = EngineLimits()
        limits.confinement = choice
        return ConfinementState(limits, landlock: landlock, calls: calls)
    }

    @Test("Confinement is reported as complete only if nothing is missing")
    func whole() {
        #expect(Self.state(.usual).isWhole && Self.state(.usual).remedy == nil)
        #expect(Self.state(.usual).warning(of: "tone") == nil)
        #expect(!Self.state(.off).isWhole)
        #expect(!Self.state(.usual, landlock: .absent).isWhole)
        #expect(!Self.state(.required, calls: .turnedOff).isWhole)
    }

    @Test("The message names the missing system feature, the consequence and the remedy")
    func gaps() {
        let files = Self.state(.usual, landlock: .absent)
        #expect(files.message.contains("does not support Landlock") && !files.message.contains("system calls"))
        #expect(files.warning(of: "tone")?.hasPrefix("The engine tone is not fully confined: this kernel") == true)
        let both = Self.state(.required, landlock: .absent, calls: .absent)
        #expect(both.message.contains("support Landlock") && both.message.contains("support system call filters"))
        #expect(both.message.hasSuffix("engines are not loaded, because limits.confinement is set to required"))
        #expect(both.remedy?.hasSuffix("synthhost config set limits.confinement usual") == true)
        #expect(Self.state(.off).remedy?.hasSuffix("synthhost config unset limits.confinement") == true)
    }

    @Test(
        "The messages for a kernel without Landlock, a kernel that disables it, and a container's filter are different")
    func obstacles() {
        let off = Self.state(.usual, landlock: .turnedOff)
        #expect(off.message.contains("started without Landlock") && off.remedy?.contains("lsm=") == true)
        let container = Self.state(.usual, landlock: .filtered(.notPermitted))
        #expect(container.message.contains("container") && container.message.contains("Operation not permitted"))
        #expect(container.remedy?.contains("landlock_create_ruleset") == true)
        #expect(Self.state(.usual, calls: .filtered(.noAccess)).remedy?.contains("prctl") == true)
    }
}
