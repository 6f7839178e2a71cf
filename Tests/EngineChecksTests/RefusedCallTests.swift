import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthCommandSyntax
import SynthSystem
import Testing
import TestSupport

@Suite("System calls that the confinement denies", .ownThreads)
struct RefusedCallTests {
    @Test("Each denied path or call is reported once as a warning")
    func all() throws {
        let engine = try FixtureEngine(asking: "all")
        let outcome = try outcome(engine)
        let secret = engine.file(".ssh/id")
        #expect(outcome.verdict == .warning)
        #expect(
            outcome.refused.map { $0.replacing(/\/\S*\/cache\/link/, with: "LINK") }
                == [
                    "to read \(secret) (openat)", "to write \(secret) (openat)",
                    "to create \(engine.file("new")) (openat)",
                    "to read id (openat)", "to open an internet socket (socket)",
                    "to open a local socket (socket)", "to reach @nobody (connect)",
                    "to reach 127.0.0.1:80 (connect)",
                    "to start the program /usr/bin/id (execve)", "to start a process (clone)",
                    "to create the folder \(engine.file("folder")) (mkdir)",
                    "to rename \(secret) to \(engine.file("moved")) (rename)",
                    "to remove \(secret) (unlink)", "to change \(secret) (chmod)", "to create the link LINK (symlink)",
                    "to inspect a process (ptrace)", "to send a signal to process 1 (kill)",
                    "to run code from memory without a file (mmap)", "to control a device with request 0x1234 (ioctl)",
                ].map(Self.onThisMachine))
        #expect(outcome.words.hasPrefix("It was not allowed to read \(secret) (openat); to write "), "\(outcome.words)")
        #expect(outcome.words.hasSuffix("; and 13 more."), "\(outcome.words)")
    }

    @Test("Calls that the user has allowed are not reported")
    func allowed() throws {
        let engine = try FixtureEngine(asking: "all")
        let refused = try outcome(
            of: engine.path, allowing: [.network, .executableMemory, .folder(engine.file(".ssh"))]
        ).refused
        #expect(
            !refused.contains {
                $0.contains("internet") || $0.contains("127.0.0.1") || $0.contains("memory without a file")
                    || $0.contains("to read")
            }, "\(refused)")
        #expect(refused.contains("to open a local socket (socket)"))
        #expect(refused.contains("to write \(engine.file(".ssh/id")) (openat)"))
    }

    @Test("Calls that are allowed, or that would also fail without confinement, are not reported")
    func modest() throws {
        let outcome = try outcome(try FixtureEngine(asking: "modestly"))
        #expect(outcome.verdict == .passed, "\(outcome.words)")
        #expect(outcome.refused.isEmpty)
    }

    @Test("The denied calls are listed along with the reason that the engine does not load")
    func neededFile() throws {
        let engine = try FixtureEngine(asking: "for-a-file")
        let outcome = try outcome(engine)
        #expect(outcome.verdict == .failed)
        #expect(
            outcome.words == "It cannot be loaded: FAILED (\"The key cannot be read.\"). It was not allowed to read "
                + "\(engine.file(".ssh/id")) (openat).")
    }

    @Test("The denied calls are reported even if an engine crashes while other threads make them")
    func crash() throws {
        let engine = try FixtureEngine(asking: "to-the-end")
        let outcome = try outcome(engine)
        #expect(outcome.verdict == .crashed)
        #expect(outcome.refused == ["to read \(engine.file(".ssh/id")) (openat)", "to read /etc/shadow (openat)"])
        #expect(outcome.words.hasPrefix("It crashed (SIGABRT) while loading a model. It was not allowed to read"))
    }

    @Test("The report of denied calls is limited in size and covers unusual addresses, paths, threads and signals")
    func wild() throws {
        let engine = try FixtureEngine(asking: "wildly")
        let outcome = try outcome(engine)
        #expect(outcome.verdict == .warning, "\(outcome.words)")
        let first = [
            "to start the program (execve)", "to start the program (execve)", "to reach an address (connect)",
            "to read \(engine.file(".ssh/id")) (openat)",
        ]
        #expect(Set(outcome.refused).isSuperset(of: first), "\(outcome.refused.prefix(12))")
        #expect(outcome.refused.contains("to open a socket of family 1000 (socket)"))
        #expect(outcome.refused.count == CheckOutcome.maximumRefusals)
        #expect(outcome.words.hasSuffix("; and at least 58 more."))
    }

    @Test("Confinement is not blamed for an engine's own failure")
    func mute() throws {
        let outcome = try outcome(try FixtureEngine("MUTE"))
        #expect(outcome.verdict == .skipped)
        #expect(outcome.words.contains("It has lost its voice."))
    }

    @Test(
        "The engines in this package make no denied calls",
        arguments: [("Tone", []), ("EspeakNG", []), ("Hibari", SmallVoiceFile.files)] as [(String, [HandedFile])])
    func ownEngines(product: String, files: [HandedFile]) throws {
        let outcome = try outcome(of: "\(BuildFolder.path)/lib\(product).so", files: files)
        #expect(outcome.verdict == .passed, "\(outcome.words)")
        #expect(outcome.refused.isEmpty)
    }

    @Test(
        "In a container that traces system calls or hides other processes' memory, the check is skipped",
        arguments: [["-DWATCHES"], []])
    func container(options: [String]) throws {
        let engine = try FixtureEngine()
        let program = try engine.program("container", ["-DPROGRAM=\"\(Self.program)\""] + options)
        let outcome = try outcome(of: engine.path, by: program)
        #expect(outcome.verdict == .skipped)
        #expect(outcome.words == "This kernel or container does not report rejected system calls.")
    }

    @Test("Denied calls are listed in the JSON report")
    func json() throws {
        let engine = try FixtureEngine(asking: "for-a-file")
        let run = try Validate.run(engine, "--json", "--include", "asks-only")
        let report = try JSONSerialization.jsonObject(with: Data(run.text.utf8)) as? [String: Any]
        let check = (report?["checks"] as? [[String: Any]])?.first
        #expect(check?["refused"] as? [String] == ["to read \(engine.file(".ssh/id")) (openat)"])
        #expect(run.code == 1)
    }

    private func outcome(_ engine: FixtureEngine) throws -> CheckOutcome {
        try withExtendedLifetime(engine) { try outcome(of: engine.path) }
    }

    private static var program: String { "\(BuildFolder.path)/synthhost-check" }

    private func outcome(
        of path: String, by program: String = Self.program, files: [HandedFile] = [],
        allowing allowed: [EngineNeed.Kind] = []
    ) throws -> CheckOutcome {
        let validation = Validation(
            program: program, file: path, files: files, allowing: allowed, limit: .seconds(600), stop: try WakeUp())
        return try #require(validation.run([.asksOnlyForWhatItMay]).results.first).outcome
    }

    /// Adapts the names of calls to this machine. If the kernel lacks a call, the C library uses a different one
    /// instead.
    private static func onThisMachine(_ words: String) -> String {
        #if arch(arm64)
            return words.replacing(/\((mkdir|unlink|symlink|rename)\)/) { "(\($0.1)at)" }.replacing(
                "(chmod)", with: "(fchmodat)")
        #else
            return words
        #endif
    }
}
