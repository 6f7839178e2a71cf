import EngineChecks
import EngineWire
import Foundation
import System
import Testing
import TestSupport

@Suite("A faulty engine", .ownThreads)
struct FaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let check: Check
        let verdict: CheckVerdict
        var hasFiles = false

        init(_ name: String, _ check: Check, _ verdict: CheckVerdict = .failed, hasFiles: Bool = false) {
            self.name = name
            self.check = check
            self.verdict = verdict
            self.hasFiles = hasFiles
        }

        var testDescription: String { "\(name): \(check.rawValue)" }
    }

    static let faults: [Fault] = [
        Fault("UNRESOLVED", .loadsWithRTLDNow), Fault("EXPORTS", .exportsOnlyEntry, .warning),
        Fault("ANY_ABI", .refusesUnknownABI), Fault("NULL_FUNCTION", .tableIsComplete),
        Fault("CRASH_AT_ENTRY", .tableIsComplete, .crashed), Fault("SLOW_SCAN", .scanTime, .warning),
        Fault("LANGUAGE", .fieldsAreValid), Fault("TWINS", .voiceIDsUnique),
        Fault("SLOW_LIST", .thousandVoicesQuick, .warning),
        Fault("PLAIN_HTTP", .rolesAndSourcesAreComplete, hasFiles: true),
        Fault("NO_ROLE", .loadWithoutFiles, hasFiles: true), Fault("TRUSTING", .loadWithDamagedFile, hasFiles: true),
        Fault("MUTE", .speaksAShortText), Fault("UNSTABLE", .tableIsStable), Fault("BEGINS_TWICE", .beginBeforeAudio),
        Fault("NAN", .soundIsSane), Fault("SILENT", .soundIsSane), Fault("LOUD", .soundIsSane, .warning),
        Fault("CUTS_CHARACTER", .wordEventsAreValid), Fault("LATE_EVENT", .wordEventsAreValid),
        Fault("NONDETERMINISTIC", .deterministicAsDeclared), Fault("NOTHING_IS_ERROR", .emptyAndBlankText),
        Fault("CONTROLS", .strangeTexts), Fault("CRASH", .strangeTexts, .crashed),
        Fault("EXIT", .textOf64KiB, .crashed),
        Fault("HANG", .longWord, .crashed), Fault("GOES_ON", .sinkFalseStops),
        Fault("FORGETS_CANCEL", .cancelFromAnotherThread), Fault("STICKY", .cancelFromAnotherThread),
        Fault("SLOW_CANCEL", .cancelIsQuick), Fault("BUSY", .lanesInParallel), Fault("TURNS", .lanesInParallel),
        Fault("RATE", .rateAndPitchExtremes),
        Fault("ANY_VOICE", .unknownVoiceFails), Fault("ANY_SPEAKER", .unknownSpeakerFails),
        Fault("OVERFLOW", .errorBufferRespected), Fault("EXACT_SIZE", .structOfTheFuture),
        Fault("LEAK", .loadUnloadDoesNotGrow), Fault("DESCRIPTOR", .loadUnloadDoesNotGrow),
        Fault("SPEECH_LEAK", .utterancesDoNotGrow), Fault("THREAD", .leavesNoThread),
        Fault("LASTING_THREAD", .leavesNoThread, .warning),
        Fault("SIGNAL", .leavesSurroundings), Fault("ENVIRONMENT", .leavesSurroundings),
        Fault("WRITES", .writesOnlyToCache), Fault("NETWORK", .opensNoNetwork), Fault("PROCESS", .startsNoProcess),
    ]

    /// All checks take a second for each fault, so usually a fault goes through its own and a twelfth of the others.
    private static func checks(for fault: Fault) -> [Check] {
        let all = Check.all(of: .engine)
        guard !LongForm.isAsked, let place = faults.firstIndex(where: { $0.name == fault.name }) else {
            return all
        }
        var chosen = Set(all.enumerated().filter { $0.offset % 12 == place % 12 }.map(\.element))
        chosen.insert(fault.check)
        for check in all.reversed() where chosen.contains(check) {
            if let requirement = check.requirement(of: .engine) { chosen.insert(requirement) }
        }
        return all.filter(chosen.contains)
    }

    @Test("fails the check for its fault and no other", arguments: faults)
    func shows(fault: Fault) throws {
        let engine = try FixtureEngine(fault.name, hasFiles: fault.hasFiles)
        // Only an engine that hangs needs the limit, and a busy machine may take its time.
        let report = try validate(
            engine, hasFiles: fault.hasFiles, limit: fault.name == "HANG" ? .seconds(30) : .seconds(600),
            Self.checks(for: fault))
        // What a check forbids is refused as well.
        let isRefused = [.writesOnlyToCache, .opensNoNetwork, .startsNoProcess].contains(fault.check)
        for result in report.results where result.check != fault.check {
            if isRefused, result.check == .asksOnlyForWhatItMay {
                #expect(result.outcome.verdict == .warning)
                continue
            }
            #expect(isFine(result), "\(result.check.rawValue): \(result.outcome.detail)")
        }
        let result = try #require(report.results.first { $0.check == fault.check })
        #expect(result.outcome.verdict == fault.verdict, "\(result.outcome.detail)")
    }

    @Test("that everybody may write is not loaded")
    func untrusted() throws {
        let engine = try FixtureEngine()
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: engine.path)
        let report = try validate(engine)
        #expect(report.results.first?.outcome.verdict == .failed)
        #expect(report.count(.skipped) == Check.all(of: .engine).count - 1)
    }

    @Test("without faults passes everything", arguments: [false, true])
    func good(hasFiles: Bool) throws {
        let report = try validate(try FixtureEngine(hasFiles: hasFiles), hasFiles: hasFiles)
        for result in report.results {
            #expect(isFine(result), "\(result.check.rawValue): \(result.outcome.detail)")
        }
        #expect(report.results.map(\.check) == Check.all(of: .engine))
        #expect(report.engine == EngineIdentity(id: "checked", name: "Checked", version: "1.2.3"))
        #expect(report.count(.skipped) == (hasFiles ? 1 : 2))
    }

    @Test("that takes a moment to cancel has its lane until then")
    func unhurried() throws {
        let engine = try FixtureEngine("UNHURRIED")
        let stop = try WakeUp()
        let report = withExtendedLifetime(engine) {
            validation(engine.path, stop: stop).run([.cancelIsQuick])
        }
        for result in report.results {
            #expect(isFine(result), "\(result.check.rawValue): \(result.outcome.detail)")
        }
        #expect(report.results.count == 1)
    }

    @Test("without its files skips the checks of speech, with the advice to hand them over")
    func withoutFiles() throws {
        let report = try validate(try FixtureEngine(hasFiles: true))
        let speech = try #require(report.results.first { $0.check == .speaksAShortText })
        #expect(speech.outcome.verdict == .skipped)
        guard case .found(.words(let words)) = speech.outcome.detail else {
            Issue.record("\(speech.outcome)")
            return
        }
        #expect(words.contains("--file weights=PATH --file style=PATH"))
        #expect(report.results.first { $0.check == .longWord }?.outcome == speech.outcome)
        #expect(report.results.first { $0.check == .loadWithoutFiles }?.outcome.verdict == .passed)
    }

    @Test("built here passes without a warning", arguments: ["Tone", "EspeakNG"])
    func ownEngines(product: String) throws {
        let report = validation("\(BuildFolder.path)/lib\(product).so", stop: try WakeUp()).run(Check.allCases)
        for result in report.results {
            #expect(isFine(result), "\(result.check.rawValue): \(result.outcome.detail)")
        }
    }

    @Test("that hangs is stopped at once by the caller, and leaves no process")
    func stopped() throws {
        let engine = try FixtureEngine("HANG")
        let stop = try WakeUp()
        let began = Monitor(false)
        startThread("stopper") {
            _ = began.wait { $0 ? true : nil }
            stop.signal()
        }
        let report = validation(engine.path, stop: stop)
            .run([.longWord]) { _ in began.update { $0 = true } }
        withExtendedLifetime(engine) {
            #expect(report.wasStopped)
            #expect(report.results.isEmpty)
        }
    }

    /// Whether nothing is wrong. A time may be too long because the machine is busy, which is a warning.
    private func isFine(_ result: Validation.Result) -> Bool {
        [.passed, .skipped].contains(result.outcome.verdict)
            || result.outcome.verdict == .warning && result.check.attempts > 1
    }

    private func validate(
        _ engine: FixtureEngine, hasFiles: Bool = false, limit: Duration = .seconds(600),
        _ checks: [Check] = Check.allCases
    ) throws -> Validation.Report {
        let files = ["weights", "style"].map { CheckFile(role: $0, path: engine.file($0)) }
        let validation = validation(engine.path, files: hasFiles ? files : [], limit: limit, stop: try WakeUp())
        return withExtendedLifetime(engine) { validation.run(checks) }
    }

    private func validation(
        _ path: String, files: [CheckFile] = [], limit: Duration = .seconds(600), stop: WakeUp
    ) -> Validation {
        Validation(
            program: "\(BuildFolder.path)/synthhost-check", file: path, files: files, limit: limit, stop: stop)
    }
}
