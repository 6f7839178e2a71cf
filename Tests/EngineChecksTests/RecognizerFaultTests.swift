import EngineChecks
import EngineWire
import Foundation
import System
import Testing
import TestSupport

@Suite("A faulty recognizer", .ownThreads)
struct RecognizerFaultTests {
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
        Fault("ANY_ABI", .refusesUnknownABI), Fault("NULL_FUNCTION", .tableIsComplete), Fault("RATE", .fieldsAreValid),
        Fault("USELESS", .fieldsAreValid), Fault("MORE", .fieldsAreValid), Fault("TWINS", .modelIDsUnique),
        Fault("NO_ROLE", .loadWithoutFiles, hasFiles: true), Fault("TRUSTING", .loadWithDamagedFile, hasFiles: true),
        Fault("DEAF", .understandsAShortSound), Fault("PLACELESS", .understandsAShortSound),
        Fault("BEYOND", .textsAreValid), Fault("BACK", .textsAreValid), Fault("BLANK", .textsAreValid),
        Fault("LATIN1", .textsAreValid), Fault("CONTROL", .textsAreValid), Fault("CUTS_CHARACTER", .textsAreValid),
        Fault("OUTSIDE", .textsAreValid), Fault("WORDS_BACK", .textsAreValid), Fault("UNSURE", .textsAreValid),
        Fault("CHOOSES", .textsAreValid), Fault("LANGUAGE_NAME", .textsAreValid), Fault("UNSTABLE", .stablePartsStay),
        Fault("TWICE", .speechEventsAlternate), Fault("EVENT_BEYOND", .speechEventsAlternate),
        Fault("LATE_EVENT", .speechEventsAlternate, .warning), Fault("WANTS", .wantsChangeNoFinal),
        Fault("PIECES", .alikeAsDeclared), Fault("QUIET", .asksWhetherToStop, .warning),
        Fault("EMPTY_IS_ERROR", .emptySound), Fault("INVENTS", .emptySound),
        Fault("FULL_SCALE", .strangeSounds, .crashed), Fault("DENORMAL", .strangeSounds),
        Fault("LONG_SILENCE", .strangeSounds, .crashed), Fault("PHRASES", .strangeHints, .crashed),
        Fault("GOES_ON", .sinkFalseStops), Fault("FINE", .sinkFalseStops), Fault("END_IS_END", .endThatIsAStop),
        Fault("SILENT_END", .endThatIsAStop, .warning), Fault("LATE_CALL", .callsNothingAfterwards),
        Fault("FORGETS_CANCEL", .cancelFromAnotherThread), Fault("STICKY", .cancelFromAnotherThread),
        Fault("SLOW_CANCEL", .cancelIsQuick), Fault("BUSY", .lanesInParallel), Fault("TURNS", .lanesInParallel),
        Fault("SPEECHLESS", .unknownModelOrLanguage), Fault("OVERFLOW", .errorBufferRespected),
        Fault("EXACT_SIZE", .structOfTheFuture), Fault("LEAK", .loadUnloadDoesNotGrow),
        Fault("SOUND_LEAK", .soundsDoNotGrow), Fault("THREAD", .leavesNoThread), Fault("SIGNAL", .leavesSurroundings),
    ]

    private static let all = Check.all(of: .recognizer)

    /// Usually a fault goes through its own check and a twelfth of the others.
    private static func checks(for fault: Fault) -> [Check] {
        guard !LongForm.isAsked, let place = faults.firstIndex(where: { $0.name == fault.name }) else { return all }
        var chosen = Set(all.enumerated().filter { $0.offset % 12 == place % 12 }.map(\.element))
        chosen.insert(fault.check)
        for check in all.reversed() where chosen.contains(check) {
            if let requirement = check.requirement(of: .recognizer) { chosen.insert(requirement) }
        }
        return all.filter(chosen.contains)
    }

    @Test("fails the check for its fault and no other", arguments: faults)
    func shows(fault: Fault) throws {
        let recognizer = try FixtureRecognizer(fault.name, hasFiles: fault.hasFiles)
        let report = try Self.validate(recognizer, hasFiles: fault.hasFiles, Self.checks(for: fault))
        for result in report.results where result.check != fault.check {
            #expect(isFine(result), "\(result.check.rawValue): \(result.outcome.detail)")
        }
        let result = try #require(report.results.first { $0.check == fault.check })
        #expect(result.outcome.verdict == fault.verdict, "\(result.outcome.detail)")
    }

    @Test("without faults passes everything", arguments: [false, true])
    func good(hasFiles: Bool) throws {
        let report = try Self.validate(try FixtureRecognizer(hasFiles: hasFiles), hasFiles: hasFiles, Self.all)
        for result in report.results {
            #expect(isFine(result), "\(result.check.rawValue): \(result.outcome.detail)")
        }
        #expect(report.results.map(\.check) == Self.all)
        #expect(report.recognizer == EngineIdentity(id: "counted", name: "Counted", version: "1.2.3"))
        #expect(report.engine == nil)
        #expect(report.count(.skipped) == (hasFiles ? 0 : 2))
    }

    @Test("that is the scripted one passes everything")
    func scripted() throws {
        let report = try Self.validate(try FixtureRecognizer(compiling: ["Plugins/Scripted/scripted.c"]), Self.all)
        for result in report.results {
            #expect(isFine(result), "\(result.check.rawValue): \(result.outcome.detail)")
        }
        #expect(report.results.map(\.check) == Self.all)
        // Its files are optional, and it takes every language.
        #expect(
            report.results.filter { $0.outcome.verdict == .skipped }.map(\.check)
                == [.loadWithoutFiles, .loadWithDamagedFile, .errorBufferRespected])
    }

    /// Random weights know no words, but all else of Whisper is there.
    @Test("that is Whisper passes everything", .enabled(if: BuildFolder.hasNeuralEngines, "needs ONNX Runtime"))
    func whisper() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/Whisper").path
        let files = [
            ("encoder", "encoder_model.onnx"), ("decoder", "decoder_model_merged.onnx"),
            ("tokenizer", "tokenizer.json"), ("config", "generation_config.json"),
        ].map { CheckFile(role: $0.0, path: "\(folder)/\($0.1)") }
        let validation = Validation(
            program: "\(BuildFolder.path)/synthhost-check", file: "\(BuildFolder.path)/libWhisper.so", files: files,
            limit: .seconds(600), stop: try WakeUp())
        // Those that repeat for seconds and those of the file say nothing of Whisper that others do not.
        let long: [Check] = [
            .loadUnloadDoesNotGrow, .soundsDoNotGrow, .cancelIsQuick, .cancelFromAnotherThread, .exportsOnlyEntry,
        ]
        let report = validation.run(Self.all.filter { LongForm.isAsked || !long.contains($0) }, as: .recognizer)
        for result in report.results where result.check != .exportsOnlyEntry {
            #expect(isFine(result), "\(result.check.rawValue): \(result.outcome.detail)")
        }
        // It does not detect speech.
        #expect(
            report.results.filter { $0.outcome.verdict == .skipped }.map(\.check) == [.speechEventsAlternate])
    }

    @Test("without its files skips the checks of hearing, with the advice to hand them over")
    func withoutFiles() throws {
        let report = try Self.validate(
            try FixtureRecognizer(hasFiles: true), [.tableIsComplete, .understandsAShortSound, .emptySound])
        guard case .found(.words(let words))? = report.results.dropFirst().first?.outcome.detail else {
            Issue.record("\(report)")
            return
        }
        #expect(words == "Its model needs files; hand them over: --file weights=PATH")
        #expect(report.results.map(\.outcome.verdict) == [.passed, .skipped, .skipped])
    }

    /// Whether nothing is wrong. A time may be too long because the machine is busy, which is a warning.
    private func isFine(_ result: Validation.Result) -> Bool {
        [.passed, .skipped].contains(result.outcome.verdict)
            || result.outcome.verdict == .warning && result.check.attempts > 1
    }

    private static func validate(
        _ recognizer: FixtureRecognizer, hasFiles: Bool = false, _ checks: [Check]
    ) throws -> Validation.Report {
        let files = hasFiles ? [CheckFile(role: "weights", path: recognizer.folder.file("weights"))] : []
        let validation = Validation(
            program: "\(BuildFolder.path)/synthhost-check", file: recognizer.path, files: files, limit: .seconds(600),
            stop: try WakeUp())
        return withExtendedLifetime(recognizer) { validation.run(checks, as: .recognizer) }
    }
}
