import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("Checking faulty engines", .ownThreads)
struct FaultTests {
    static let faults: [CheckFault] = [
        CheckFault("UNRESOLVED", .loadsWithRTLDNow), CheckFault("EXPORTS", .exportsOnlyEntry, .warning),
        CheckFault("ANY_ABI", .refusesUnknownABI), CheckFault("NULL_FUNCTION", .tableIsComplete),
        CheckFault("CRASH_AT_ENTRY", .tableIsComplete, .crashed), CheckFault("SLOW_SCAN", .scanTime, .warning),
        CheckFault("LANGUAGE", .fieldsAreValid), CheckFault("TWINS", .voiceIDsUnique),
        CheckFault("SLOW_LIST", .thousandVoicesQuick, .warning),
        CheckFault("PLAIN_HTTP", .rolesAndSourcesAreComplete, hasFiles: true),
        CheckFault("NO_ROLE", .loadWithoutFiles, hasFiles: true),
        CheckFault("TRUSTING", .loadWithDamagedFile, hasFiles: true),
        CheckFault("MUTE", .speaksAShortText), CheckFault("UNSTABLE", .tableIsStable),
        CheckFault("BEGINS_TWICE", .beginBeforeAudio),
        CheckFault("NAN", .soundIsSane), CheckFault("SILENT", .soundIsSane), CheckFault("LOUD", .soundIsSane, .warning),
        CheckFault("CUTS_CHARACTER", .wordEventsAreValid), CheckFault("LATE_EVENT", .wordEventsAreValid),
        CheckFault("NONDETERMINISTIC", .deterministicAsDeclared), CheckFault("NOTHING_IS_ERROR", .emptyAndBlankText),
        CheckFault("CONTROLS", .strangeTexts), CheckFault("CRASH", .strangeTexts, .crashed),
        CheckFault("EXIT", .textOf64KiB, .crashed),
        CheckFault("HANG", .longWord, .crashed), CheckFault("GOES_ON", .sinkFalseStops),
        CheckFault("FORGETS_CANCEL", .cancelFromAnotherThread), CheckFault("STICKY", .cancelFromAnotherThread),
        CheckFault("SLOW_CANCEL", .cancelIsQuick), CheckFault("BUSY", .lanesInParallel),
        CheckFault("TURNS", .lanesInParallel),
        CheckFault("RATE", .rateAndPitchExtremes), CheckFault("FALLS_BEHIND", .rateIsReached),
        CheckFault("FLAT", .pitchIsShaped), CheckFault("VOICED", .pitchIsShaped),
        CheckFault("TRUSTS_POINTS", .pitchIsShaped),
        CheckFault("ANY_VOICE", .unknownVoiceFails), CheckFault("ANY_SPEAKER", .unknownSpeakerFails),
        CheckFault("OVERFLOW", .errorBufferRespected), CheckFault("EXACT_SIZE", .structOfTheFuture),
        CheckFault("LEAK", .loadUnloadDoesNotGrow), CheckFault("DESCRIPTOR", .loadUnloadDoesNotGrow),
        CheckFault("SPEECH_LEAK", .utterancesDoNotGrow), CheckFault("THREAD", .leavesNoThread),
        CheckFault("LASTING_THREAD", .leavesNoThread, .warning),
        CheckFault("SIGNAL", .leavesSurroundings), CheckFault("ENVIRONMENT", .leavesSurroundings),
        CheckFault("WRITES", .writesOnlyToCache), CheckFault("NETWORK", .opensNoNetwork),
        CheckFault("PROCESS", .startsNoProcess),
    ]

    @Test("Each fault causes its own check to fail, but no others", arguments: faults)
    func shows(fault: CheckFault) throws {
        let engine = try FixtureEngine(fault.name, hasFiles: fault.hasFiles)
        // Only the check in which an engine hangs has a short limit, because other checks could exceed it on a busy
        // machine.
        let hangs = fault.name == "HANG"
        let checks = fault.checks(of: .engine, among: Self.faults).filter { !hangs || $0 != fault.check }
        var report = try validate(engine, hasFiles: fault.hasFiles, checks)
        if hangs { report.results += try validate(engine, limit: .seconds(5), [fault.check]).results }
        // The confinement also denies the call that the check forbids.
        let isRefused = [.writesOnlyToCache, .opensNoNetwork, .startsNoProcess].contains(fault.check)
        for result in report.results where result.check != fault.check {
            if isRefused, result.check == .asksOnlyForWhatItMay {
                #expect(result.outcome.verdict == .warning)
                continue
            }
            #expect(result.isFine, "\(result.check.rawValue): \(result.outcome.detail)")
        }
        let result = try #require(report.results.first { $0.check == fault.check })
        if Sanitizer.isActive, CheckFault.affectedBySanitizers.contains(fault.check) { return }
        #expect(result.outcome.verdict == fault.verdict, "\(result.outcome.detail)")
    }

    @Test("World-writable files are not loaded")
    func untrusted() throws {
        let engine = try FixtureEngine()
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: engine.path)
        let report = try validate(engine)
        #expect(report.results.first?.outcome.verdict == .failed)
        #expect(report.count(.skipped) == Check.all(of: .engine).count - 1)
    }

    @Test("An engine without faults passes every check", arguments: [false, true])
    func good(hasFiles: Bool) throws {
        let report = try validate(try FixtureEngine(hasFiles: hasFiles), hasFiles: hasFiles)
        for result in report.results {
            #expect(result.isFine, "\(result.check.rawValue): \(result.outcome.detail)")
        }
        #expect(report.results.map(\.check) == Check.all(of: .engine))
        #expect(report.engine == EngineIdentity(id: "checked", name: "Checked", version: "1.2.3"))
        #expect(report.count(.skipped) == (hasFiles ? 1 : 2))
    }

    @Test("An engine that takes some time to cancel keeps its lane until it has finished")
    func unhurried() throws {
        let engine = try FixtureEngine("UNHURRIED")
        let stop = try WakeUp()
        let report = withExtendedLifetime(engine) {
            validation(engine.path, stop: stop).run([.cancelIsQuick])
        }
        for result in report.results {
            #expect(result.isFine, "\(result.check.rawValue): \(result.outcome.detail)")
        }
        #expect(report.results.count == 1)
    }

    @Test("If an engine lacks its files, the speech checks are skipped, and the message explains how to pass the files")
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

    @Test(
        "The engines in this package pass without warnings",
        arguments: [("Tone", []), ("EspeakNG", []), ("Hibari", SmallVoiceFile.files)] as [(String, [HandedFile])])
    func ownEngines(product: String, files: [HandedFile]) throws {
        let report = validation("\(BuildFolder.path)/lib\(product).so", files: files, stop: try WakeUp())
            .run(Check.allCases)
        for result in report.results {
            #expect(result.isFine, "\(result.check.rawValue): \(result.outcome.detail)")
        }
    }

    @Test(
        "The plugins in this package export only their entry points",
        .enabled(if: BuildFolder.hasNeuralEngines, "This test needs ONNX Runtime."),
        .disabled(if: Sanitizer.isActive, "A sanitizer adds symbols to libraries."),
        arguments: [
            ("Kokoro", .engine), ("Piper", .engine), ("Parakeet", .recognizer), ("Silero", .recognizer),
            ("Whisper", .recognizer),
        ] as [(String, PluginKind)])
    func exports(product: String, kind: PluginKind) throws {
        let report = validation("\(BuildFolder.path)/lib\(product).so", stop: try WakeUp())
            .run([.exportsOnlyEntry], as: kind)
        #expect(report.results.map(\.outcome.verdict) == [.passed], "\(report.results.map(\.outcome.detail))")
    }

    @Test("The caller can stop a check that hangs without leaving a process running")
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

    private func validate(
        _ engine: FixtureEngine, hasFiles: Bool = false, limit: Duration = .seconds(600),
        _ checks: [Check] = Check.allCases
    ) throws -> Validation.Report {
        let files = ["weights", "style"].map { HandedFile(role: $0, path: engine.file($0)) }
        let validation = validation(engine.path, files: hasFiles ? files : [], limit: limit, stop: try WakeUp())
        return withExtendedLifetime(engine) { validation.run(checks) }
    }

    private func validation(
        _ path: String, files: [HandedFile] = [], limit: Duration = .seconds(600), stop: WakeUp
    ) -> Validation {
        Validation(
            program: "\(BuildFolder.path)/synthhost-check", file: path, files: files, limit: limit, stop: stop)
    }
}
