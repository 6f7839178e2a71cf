import Foundation
import SynthSystem
import Testing
import TestNumbers
import TestSupport

/// For each front end, runs rounds in which an engine fails in the middle of an utterance. `Scripts/measure/chaos` runs
/// more rounds.
@Suite("Engine failures in the middle of an utterance", .ownThreads)
struct ChaosTests {
    private static func number(_ variable: String, _ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["SYNTHHOST_CHAOS_\(variable)"].flatMap { Int($0) } ?? usual
    }

    private static let faults = ["crash", "hang", "quit", "noise", "much", "short", "nan", "error"]
    private static let words = ["one", "two", "three", "four", "six", "ten", "amber", "birch", "cedar"]
    /// The number of rounds after which all engines and models have been loaded once.
    private static let first = 3
    /// The maximum time until a hung engine is detected: the limit plus one watchdog interval before and one after it.
    private static let hang = Duration.milliseconds(300 + 150)
    /// The maximum time from the point at which the engine is abandoned until the client is notified of the end.
    /// `Scripts/measure/chaos` allows two seconds, but this suite shares the machine with other suites.
    private static let limit = Duration.seconds(number("LIMIT", 600))
    private static let memory = Sanitizer.isActive ? 1 << 40 : 16 << 20

    private func home() throws -> UserHome {
        let home = try UserHome()
        try home.write(
            #"pcm.default { type file slave.pcm { type null } file "\#(home.file("played.wav"))" format "wav" }"#,
            to: "asound.conf")
        try home.write(
            // `awaitedSeconds` applies if a fallback voice takes over. `idleSeconds` applies if there is no fallback,
            // as for a client that has specified a voice.
            // ThreadSanitizer's own thread uses CPU time, so an engine is never idle.
            #"{"fallback": ["Steady"], "limits": {"awaitedSeconds": 0.3, "idleSeconds": 0.3, "restSeconds": 0.1, "audioSeconds": "#
                + "\(Sanitizer.isThread ? 3 : 120)}}",
            to: "config/synthhost/config.json")
        try home.installFaulty("moody", voice: "Moody", ["SPEAK=moody"])
        try home.installFaulty("steady", voice: "Steady", ["SPEAK=legible", "SIGN=-1"])
        // The engines are scanned before anything is timed.
        _ = try home.runProcess("engines", "list")
        return home
    }

    private static func phrase(_ random: inout SeededRandom) -> String {
        (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in words.randomElement(using: &random) }
            .joined(separator: " ")
    }

    @Test(
        "Each front end reports the end of the text on time, loses no text, continues to work, and frees its resources",
        arguments: ChaosTarget.allCases)
    func chaos(_ door: ChaosTarget) throws {
        let seed = Self.number("SEED", 1)
        var random = SeededRandom(UInt64(truncatingIfNeeded: seed))
        let rounds = max(Self.number("ROUNDS", 20), Self.first + 1)
        let home = try home()
        let frontEnd = try door.open(in: home)
        var before: ProcessUse?
        for round in 1...rounds {
            let fault = Self.faults.randomElement(using: &random) ?? "crash"
            let text = "\(Self.phrase(&random)) \(fault) \(Self.phrase(&random)). \(Self.phrase(&random))."
            let place = "round \(round) of seed \(seed): \(text)"
            let start = ContinuousClock.now
            let sound = try frontEnd.speak(text, fails: true)
            let time = ContinuousClock.now - start
            #expect(time < Self.limit + (fault == "hang" ? Self.hang : .zero), "\(place)")
            let flaw = frontEnd.replaces ? sound.flaw(of: text) : sound.flaw(ofBeginningOf: text)
            #expect(flaw == nil, "\(place): \(sound)")
            let next = "\(Self.phrase(&random))."
            let heard = try frontEnd.speak(next, fails: false)
            // On a busy machine, an engine may wait longer than the hang limit for CPU time.
            #expect(
                heard == LegibleSound.only(first: next) || frontEnd.replaces && heard.flaw(of: next) == nil,
                "\(place), then \(next): \(heard)")
            // Resource use is lower while a crashed engine is not running, so the maximum over several rounds is used.
            if (Self.first...max(Self.first, rounds / 2)).contains(round), let process = frontEnd.process {
                let use = ProcessUse(of: process)
                before = before.map { $0.raised(to: use) } ?? use
            }
        }
        if let process = frontEnd.process, let before {
            // Threads that have finished their work may still be exiting.
            let deadline = ContinuousClock.now + .seconds(300)
            var after = ProcessUse(of: process)
            while !after.isAtMost(before, memory: Self.memory), ContinuousClock.now < deadline {
                usleep(20_000)
                after = ProcessUse(of: process)
            }
            #expect(after.isAtMost(before, memory: Self.memory), "\(before), then \(after)")
        }
        try frontEnd.end()
        for worker in ProcessTable.processes(naming: home.plugins) {
            #expect(ProcessTable.waitForEnd(of: worker), "\(ProcessTable.command(of: worker))")
        }
    }
}
