import Foundation
import SynthCommandSyntax
import SynthSystem
import Testing
import TestSupport

@Suite("A container that refuses what engines are confined with", .ownThreads)
struct ContainerTests {
    private struct Container {
        let home: UserHome
        let engine: FixtureEngine
        let program: String

        init(refusing call: String) throws {
            home = try UserHome()
            engine = try FixtureEngine()
            program = try engine.program(
                "container", ["-DPROGRAM=\"\(home.programs)/synthhost\"", "-DREFUSED=\(call)"])
        }

        func run(_ arguments: String...) throws -> ChildResult {
            try ChildProcess(program, arguments: arguments.map { Array($0.utf8) }, environment: home.environment)
                .finish(within: .seconds(600))
        }
    }

    /// Of the call that asks for Landlock, which Debian's header of the C library does not have.
    private static let landlock = "444"

    @Test("is told from a kernel that has no Landlock, and engines speak all the same")
    func files() throws {
        let container = try Container(refusing: Self.landlock)
        let doctor = try container.run("doctor").text
        #expect(
            doctor.contains(
                "note  confinement: a filter around this program, as of a container or a service, refuses Landlock, which"
            ),
            "\(doctor)")
        #expect(doctor.contains("landlock_restrict_self"))
        #expect(try container.run("speak", "-o", container.home.file("x.wav"), "Hello.").code == 0)
    }

    @Test("is told from a kernel that has no filters for calls")
    func calls() throws {
        let container = try Container(refusing: "SYS_seccomp")
        let spoken = try container.run("speak", "-o", container.home.file("x.wav"), "Hello.")
        #expect(spoken.code == 0, "\(spoken.errors)")
        // The older way of asking is still open, but what answers it cannot be had.
        let doctor = try container.run("doctor").text
        #expect(doctor.contains("refuses filters for system calls"), "\(doctor)")
    }

    @Test("has no engine loaded if the walls are required")
    func required() throws {
        let container = try Container(refusing: Self.landlock)
        #expect(try container.run("config", "set", "limits.confinement", "required").code == 0)
        let spoken = try container.run("speak", "-o", container.home.file("x.wav"), "Hello.")
        #expect(spoken.code == 69, "\(spoken.errors)")
        #expect(!container.home.exists("x.wav"))
    }
}
