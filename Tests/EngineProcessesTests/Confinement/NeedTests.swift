import Glibc
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("Needs that an engine declares", .ownThreads)
struct NeedTests {
    /// A need, and the attempts that it permits.
    struct Case: CustomTestStringConvertible, Sendable {
        let need: EngineNeed.Kind
        let opens: [Attempt]
        /// Attempts that the system may either deny or permit.
        var leavesOpen: [String] = []

        var testDescription: String { need.word }
    }

    private static let cases = [
        Case(
            need: .network,
            opens: [
                Attempt("connect-tcp", at: .path("9")), Attempt("udp", at: .path("9")),
                Attempt("read-file", at: .path("/etc"), from: 1), Attempt("list-folder", at: .path("/etc"), from: 1),
            ], leavesOpen: ["tcp6", "udp6", "tcp-high", "stream-sendto"]),
        Case(
            need: .executableMemory,
            opens: ["executable", "executable-later", "writable-executable"].map { Attempt($0) }
                + Attempt.sharedMemory, leavesOpen: ["secret-memory"]),
        Case(
            need: .device("/dev/tty"), opens: [Attempt("write-file", at: .path("/dev/tty"), from: 1, isSpecial: true)],
            leavesOpen: ["list-networks", "secret-memory"] + Attempt.sharedMemory.map(\.name)),
        Case(
            need: .folder("OUTSIDE"),
            opens: [
                Attempt("read-file", at: .secret, from: 1), Attempt("list-folder", at: .folder, from: 1),
            ],
            leavesOpen: [
                "read-by-root", "read-by-thread", "constructor", "early-thread", "read-by-foreign-root", "link",
            ]),
    ]

    @Test(
        "A need is denied until the user allows it, and the error names the missing permission",
        arguments: cases)
    func refused(_ example: Case) throws {
        let intruder = try IntruderFixture(asking: [example.need])
        for attempt in example.opens where attempt.version <= Confinement.landlockVersion && !attempt.isSpecial {
            if case .reached = try intruder.attempt(attempt).0 { Issue.record("\(attempt.testDescription): reached") }
        }
        let failure = #expect(throws: EngineFailure.self) { try intruder.lane.speak("execve /bin/true") }
        #expect(failure?.missed.map(\.kind.name) == [example.need.name])
    }

    @Test("An allowed need permits its attempts and no others", arguments: cases)
    func allowed(_ example: Case) throws {
        let intruder = try IntruderFixture(asking: [example.need], allows: true)
        for attempt in example.opens where !attempt.isSpecial {
            if case .refused(let words) = try intruder.ask("\(attempt.name) \(intruder.text(of: attempt.target))") {
                Issue.record("\(attempt.testDescription): \(words)")
            }
        }
        let opened = Set(example.opens.map(\.testDescription))
        for attempt in Attempt.all
        where attempt.version <= Confinement.landlockVersion && !opened.contains(attempt.testDescription)
            && !example.leavesOpen.contains(attempt.name)
        {
            if case .reached(let error) = try intruder.attempt(attempt).0 {
                Issue.record("\(attempt.testDescription): reached, error \(error)")
            }
        }
        let failure = #expect(throws: EngineFailure.self) { try intruder.lane.speak("execve /bin/true") }
        #expect(failure?.missed == [])
    }

    @Test("A permission does not carry over to a file that replaces the engine")
    func replaced() throws {
        let fixture = try EngineFixture()
        let macros = ["NEEDS=NEED(SYNTH_NEED_EXECUTABLE_MEMORY, NULL)"]
        let path = try fixture.makeEngine(macros, from: "intruder", named: "intruder")
        let description = try EngineFile(path: path).describe(by: fixture.program, limits: .short())
        let engine = Engine(
            file: path, description: description, program: fixture.program, limits: .short(),
            allowing: [.executableMemory])
        #expect(try engine.openLane(on: LoadRequest(id: "one")).speak("executable").wasSpoken)
        try fixture.makeEngine(macros + ["NEWER"], from: "intruder", named: "intruder")
        for process in Processes.hosting(path) { kill(process, SIGKILL) }
        #expect(Processes.haveEnded(path))
        let failure = #expect(throws: EngineFailure.self) {
            try engine.openLane(on: LoadRequest(id: "one")).speak("executable")
        }
        #expect(failure?.missed.map(\.kind) == [.executableMemory])
    }

    @Test("An unknown need is ignored, and a need with an invalid path makes the engine unusable")
    func strange() throws {
        let fixture = try EngineFixture()
        let later = try fixture.makeEngine(
            ["NEEDS=NEED(77, \"x\"), NEED(SYNTH_NEED_NETWORK, NULL)"], from: "intruder", named: "later")
        let needs = try EngineFile(path: later).describe(by: fixture.program, limits: .short()).needs
        #expect(needs == [EngineNeed(.network, reason: "It is a test.")])
        for path in [
            "NULL", "\"voices\"", "\"/dev/../home\"", "\"\"", "\"/dev//\"", "\"/dev/.\"", "\"/dev/shm/x\"",
            "\"/home/a\"",
        ] {
            let wrong = try fixture.makeEngine(
                ["NEEDS=NEED(SYNTH_NEED_DEVICE, \(path))"], from: "intruder", named: "wrong")
            let failure = #expect(throws: EngineFailure.self) {
                try EngineFile(path: wrong).describe(by: fixture.program, limits: .short())
            }
            #expect(failure?.reason == .refused(Refusal(.description(.unusable(DescriptionField(.needPath))))))
        }
    }
}
