import Foundation
import Testing
import TestNumbers
import TestSupport

/// After a laptop has been suspended or a job stopped, no engine may be missing, and no other engine may speak instead.
@Suite("Pausing during the first engine scan", .ownThreads)
struct PausedScanTests {
    /// The time from the program's start to the pause, in microseconds. An uncached scan takes a few tens of milliseconds.
    private static let moments: [UInt32] = {
        var random = SeededRandom(7)
        return (0..<LongForm.choose(4, long: 200)).map { _ in UInt32.random(in: 0..<80_000, using: &random) }
    }()

    private func speak(_ home: UserHome) throws -> ChildProcess {
        try home.start(["speak", "--verbose", "Hello", "-o", home.file("x.wav")])
    }

    private func home() throws -> UserHome {
        let home = try UserHome()
        try home.write(#"{"limits": {"scanSeconds": 5}}"#, to: "config/synthhost/config.json")
        return home
    }

    /// The duration of the pause in microseconds. It exceeds the time limit for scanning an engine.
    private static let pause: UInt32 = 5_300_000

    private func expectMeantVoice(_ result: ChildResult) {
        #expect(result.code == 0 && result.errors.contains("from eSpeak NG."), "\(result)")
    }

    @Test(
        "After the workers have been paused, the correct engine speaks, or an error names it and the next run uses it",
        arguments: moments)
    func workers(moment: UInt32) throws {
        let home = try home()
        let process = try speak(home)
        usleep(moment)
        let workers = ProcessTable.children(of: process.identifier)
        for worker in workers { kill(worker, SIGSTOP) }
        if !workers.isEmpty { usleep(Self.pause) }
        for worker in workers { kill(worker, SIGCONT) }
        let result = try process.finish()
        guard result.code == 70 else { return expectMeantVoice(result) }
        #expect(result.errors.contains("libEspeakNG.so"), "\(result)")
        #expect(result.errors.contains("synthhost engines list --rescan"), "\(result)")
        #expect(!home.exists("x.wav"))
        expectMeantVoice(try speak(home).finish())
    }

    @Test("After all processes have been paused, the correct engine speaks", arguments: moments)
    func tree(moment: UInt32) throws {
        let home = try home()
        let process = try speak(home)
        usleep(moment)
        process.signal(SIGSTOP)
        let workers = ProcessTable.children(of: process.identifier)
        for worker in workers { kill(worker, SIGSTOP) }
        usleep(Self.pause)
        for stopped in workers + [process.identifier] { kill(stopped, SIGCONT) }
        expectMeantVoice(try process.finish())
    }

    /// Creates a folder with copies of programs and engines.
    private func copies(_ names: [String], in home: UserHome) throws -> String {
        let folder = home.file("programs")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in names {
            try GeneratedProgram.copy("\(home.programs)/\(name)", to: "\(folder)/\(name)")
        }
        return folder
    }

    private func speak(_ options: [String], with programs: String, _ home: UserHome) throws -> ChildResult {
        let arguments = ["speak", "Hello", "-o", home.file("x.wav")] + options
        return try ChildProcess(
            "\(programs)/synthhost", arguments: arguments.map { Array($0.utf8) }, environment: home.environmentOfCopies
        ).finish()
    }

    @Test(
        "An engine that is killed during the scan is reported, and no other engine speaks instead",
        arguments: [false, true])
    func killed(isNamed: Bool) throws {
        let home = try UserHome()
        let programs = try copies(["synthhost", "libEspeakNG.so", "libTone.so"], in: home)
        // Simulates insufficient memory.
        let worker = "\(programs)/synthhost-worker"
        try GeneratedProgram.write(
            """
            #!/bin/sh
            case $1 in *EspeakNG.so) kill -KILL $$ ;; esac
            exec '\(home.programs)/synthhost-worker' "$@"

            """, to: worker)
        let result = try speak(isNamed ? ["-e", "espeak-ng"] : [], with: programs, home)
        #expect(result.code == 70)
        #expect(result.errors.contains("libEspeakNG.so was killed (SIGKILL)"), "\(result.errors)")
        #expect(result.errors.contains("synthhost engines list --rescan"), "\(result.errors)")
        #expect(!home.exists("x.wav"))
    }

    @Test("An example engine is never the default")
    func exampleAlone() throws {
        let home = try UserHome()
        let programs = try copies(["synthhost", "synthhost-worker", "libTone.so"], in: home)
        let unnamed = try speak([], with: programs, home)
        #expect(unnamed.code == 69 && unnamed.errors.contains("Only example engines, which do not"), "\(unnamed)")
        #expect(!home.exists("x.wav"))
        #expect(try speak(["-e", "tone"], with: programs, home).code == 0)
        #expect(try speak(["-v", "Sine"], with: programs, home).code == 0)
    }
}
