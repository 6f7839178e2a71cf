import Foundation
import SynthCommandSyntax
import SynthSystem
import Testing
import TestSupport

@Suite("Containers that deny parts of the confinement", .ownThreads)
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

    /// The number of the system call `landlock_create_ruleset`, which Debian's C library headers do not define.
    private static let landlock = "444"

    @Test("A container without Landlock is distinguished from a kernel without it, and engines still speak")
    func files() throws {
        let container = try Container(refusing: Self.landlock)
        let doctor = try container.run("doctor").text
        #expect(
            doctor.contains(
                "note  confinement: a seccomp filter, such as the filter of a container or a service, blocks Landlock, which"
            ),
            "\(doctor)")
        #expect(doctor.contains("landlock_restrict_self"))
        #expect(try container.run("speak", "-o", container.home.file("x.wav"), "Hello.").code == 0)
    }

    @Test("A container without system call filters is distinguished from a kernel without them")
    func calls() throws {
        let container = try Container(refusing: "SYS_seccomp")
        let spoken = try container.run("speak", "-o", container.home.file("x.wav"), "Hello.")
        #expect(spoken.code == 0, "\(spoken.errors)")
        // The older call is still allowed, but it does not support notifications.
        let doctor = try container.run("doctor").text
        #expect(doctor.contains("blocks system call filters"), "\(doctor)")
    }

    @Test("No engine is loaded if confinement is required")
    func required() throws {
        let container = try Container(refusing: Self.landlock)
        #expect(try container.run("config", "set", "limits.confinement", "required").code == 0)
        let spoken = try container.run("speak", "-o", container.home.file("x.wav"), "Hello.")
        #expect(spoken.code == 69, "\(spoken.errors)")
        #expect(!container.home.exists("x.wav"))
    }
}
