import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("A malicious engine", .ownThreads)
struct IntruderTests {
    private static let newest = Confinement.landlockVersion

    private static func expectRefusal(_ outcome: IntruderFixture.Outcome, of attempt: Attempt) {
        if case .reached(let error) = outcome { Issue.record("\(attempt.testDescription): reached, error \(error)") }
    }

    private static func expectSuccess(_ outcome: IntruderFixture.Outcome, of attempt: Attempt) {
        if case .refused(let words) = outcome { Issue.record("\(attempt.testDescription): \(words)") }
    }

    @Test("All attempts are denied and have no effect")
    func everything() throws {
        let intruder = try IntruderFixture()
        for attempt in Attempt.all where attempt.version <= Self.newest {
            let (outcome, isUntouched) = try intruder.attempt(attempt)
            Self.expectRefusal(outcome, of: attempt)
            #expect(isUntouched, "\(attempt.testDescription)")
        }
        #expect(intruder.bystanderLives)
        #expect(intruder.leftInCache.isEmpty)
        #expect(try intruder.ask("nothing") == .reached(0))
    }

    @Test("Attempts from other threads are denied")
    func threads() throws {
        let intruder = try IntruderFixture()
        for attempt in Attempt.all where attempt.version <= min(Self.newest, 1) {
            let outcome = try intruder.ask("thread \(attempt.name) \(intruder.text(of: attempt.target))")
            Self.expectRefusal(outcome, of: attempt)
        }
        #expect(intruder.bystanderLives)
    }

    @Test(
        "An older kernel denies everything that its Landlock version covers, and the engine still speaks",
        arguments: 0...7)
    func older(version: Int) throws {
        let intruder = try IntruderFixture { $0.landlockVersion = version }
        for attempt in Attempt.byLandlock {
            let outcome = try intruder.attempt(attempt).0
            if min(version, Self.newest) >= attempt.version {
                Self.expectRefusal(outcome, of: attempt)
            } else if !attempt.isSpecial {
                Self.expectSuccess(outcome, of: attempt)
            }
        }
        // The system call filter does not depend on the version.
        for attempt in Attempt.all where attempt.version == 0 {
            Self.expectRefusal(try intruder.attempt(attempt).0, of: attempt)
        }
        #expect(try intruder.ask("use-cache") == .reached(0))
        #expect(intruder.bystanderLives)
    }

    /// Verifies that the attempts work.
    @Test(
        "Without confinement, every attempt that the system permits succeeds",
        .disabled(if: Sanitizer.isThread, "ThreadSanitizer ends a process that forks or leaks threads."))
    func unconfined() throws {
        let intruder = try IntruderFixture { $0.confinement = .off }
        for attempt in Attempt.all where !attempt.isSpecial {
            Self.expectSuccess(try intruder.attempt(attempt).0, of: attempt)
        }
    }

    @Test(
        "Everything necessary for speech is allowed",
        arguments: [
            Attempt("read-file", at: .model), Attempt("read-file", at: .engine), Attempt("use-cache"),
            Attempt("use-system"), Attempt("start-threads"), Attempt("read-file", at: .path("/proc/self/maps")),
            Attempt("read-file", at: .path("/dev/urandom")), Attempt("read-file", at: .path("/etc/ld.so.cache")),
            Attempt("read-file", at: .path("/proc/cpuinfo")), Attempt("read-file", at: .path("/proc/meminfo")),
            Attempt("write-file", at: .path("/dev/null")), Attempt("open-library", at: .path("libresolv.so.2")),
            Attempt("list-folder", at: .path("/usr")),
        ])
    func allowed(_ attempt: Attempt) throws {
        let intruder = try IntruderFixture()
        #expect(try intruder.attempt(attempt).0 == .reached(0))
    }

    @Test("Files can be moved between cache folders if the kernel has a rule that allows it", arguments: 0...3)
    func moving(version: Int) throws {
        let intruder = try IntruderFixture { $0.landlockVersion = version }
        let outcome = try intruder.ask("move-in-cache")
        if min(version, Self.newest) == 1 {
            #expect(outcome == .refused("refused: EXDEV in rename"))
        } else {
            #expect(outcome == .reached(0))
        }
    }

    @Test("No descriptors of the host are inherited")
    func inherited() throws {
        let outcome = try IntruderFixture().ask("inherited")
        if case .reached = outcome { Issue.record("A descriptor was open.") }
    }

    @Test(
        "An engine may terminate its own process",
        .disabled(if: Sanitizer.isThread, "ThreadSanitizer ends a process that forks or leaks threads."))
    func exit() throws {
        let intruder = try IntruderFixture()
        let failure = #expect(throws: EngineFailure.self) { try intruder.lane.speak("exit") }
        #expect(failure.map { Fault.exit($0.reason) } == true)
    }

    @Test("A worker that sends the host garbage and a descriptor is terminated")
    func descriptor() throws {
        let intruder = try IntruderFixture()
        _ = try? intruder.lane.speak("pass-descriptor")
        #expect(Processes.haveEnded(intruder.path))
        #expect(!intruder.lane.isAlive)
    }
}
