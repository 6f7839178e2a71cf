import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("Checking faulty recognizers", .ownThreads)
struct RecognizerFaultTests {
    static let faults: [CheckFault] = [
        CheckFault("ANY_ABI", .refusesUnknownABI), CheckFault("NULL_FUNCTION", .tableIsComplete),
        CheckFault("RATE", .fieldsAreValid),
        CheckFault("USELESS", .fieldsAreValid), CheckFault("MORE", .fieldsAreValid),
        CheckFault("TWINS", .modelIDsUnique),
        CheckFault("NO_ROLE", .loadWithoutFiles, hasFiles: true),
        CheckFault("TRUSTING", .loadWithDamagedFile, hasFiles: true),
        CheckFault("DEAF", .understandsAShortSound), CheckFault("PLACELESS", .understandsAShortSound),
        CheckFault("BEYOND", .textsAreValid), CheckFault("BACK", .textsAreValid), CheckFault("BLANK", .textsAreValid),
        CheckFault("LATIN1", .textsAreValid), CheckFault("CONTROL", .textsAreValid),
        CheckFault("CUTS_CHARACTER", .textsAreValid),
        CheckFault("OUTSIDE", .textsAreValid), CheckFault("WORDS_BACK", .textsAreValid),
        CheckFault("UNSURE", .textsAreValid),
        CheckFault("CHOOSES", .textsAreValid), CheckFault("LANGUAGE_NAME", .textsAreValid),
        CheckFault("UNSTABLE", .stablePartsStay),
        CheckFault("TWICE", .speechEventsAlternate), CheckFault("EVENT_BEYOND", .speechEventsAlternate),
        CheckFault("LATE_EVENT", .speechEventsAlternate, .warning), CheckFault("WANTS", .wantsChangeNoFinal),
        CheckFault("PIECES", .alikeAsDeclared), CheckFault("QUIET", .asksWhetherToStop, .warning),
        CheckFault("EMPTY_IS_ERROR", .emptySound), CheckFault("INVENTS", .emptySound),
        CheckFault("FULL_SCALE", .strangeSounds, .crashed), CheckFault("DENORMAL", .strangeSounds),
        CheckFault("LONG_SILENCE", .strangeSounds, .crashed), CheckFault("PHRASES", .strangeHints, .crashed),
        CheckFault("GOES_ON", .sinkFalseStops), CheckFault("FINE", .sinkFalseStops),
        CheckFault("END_IS_END", .endThatIsAStop),
        CheckFault("SILENT_END", .endThatIsAStop, .warning), CheckFault("LATE_CALL", .callsNothingAfterwards),
        CheckFault("FORGETS_CANCEL", .cancelFromAnotherThread), CheckFault("STICKY", .cancelFromAnotherThread),
        CheckFault("SLOW_CANCEL", .cancelIsQuick), CheckFault("BUSY", .lanesInParallel),
        CheckFault("TURNS", .lanesInParallel),
        CheckFault("SPEECHLESS", .unknownModelOrLanguage), CheckFault("OVERFLOW", .errorBufferRespected),
        CheckFault("EXACT_SIZE", .structOfTheFuture), CheckFault("LEAK", .loadUnloadDoesNotGrow),
        CheckFault("SOUND_LEAK", .soundsDoNotGrow), CheckFault("THREAD", .leavesNoThread),
        CheckFault("SIGNAL", .leavesSurroundings), CheckFault("ENDLESS", .textsAreValid),
        CheckFault("MANY_WORDS", .textsAreValid), CheckFault("NEWS", .speechEventsAlternate),
    ]

    private static let all = Check.all(of: .recognizer)

    @Test("Each fault causes its own check to fail, but no others", arguments: faults)
    func shows(fault: CheckFault) throws {
        let recognizer = try FixtureRecognizer(fault.name, hasFiles: fault.hasFiles)
        let report = try Self.validate(
            recognizer, hasFiles: fault.hasFiles, fault.checks(of: .recognizer, among: Self.faults))
        for result in report.results where result.check != fault.check {
            #expect(result.isFine, "\(result.check.rawValue): \(result.outcome.detail)")
        }
        let result = try #require(report.results.first { $0.check == fault.check })
        if Sanitizer.isActive, CheckFault.affectedBySanitizers.contains(fault.check) { return }
        #expect(result.outcome.verdict == fault.verdict, "\(result.outcome.detail)")
    }

    @Test("A recognizer without faults passes every check", arguments: [false, true])
    func good(hasFiles: Bool) throws {
        let report = try Self.validate(try FixtureRecognizer(hasFiles: hasFiles), hasFiles: hasFiles, Self.all)
        for result in report.results {
            #expect(result.isFine, "\(result.check.rawValue): \(result.outcome.detail)")
        }
        #expect(report.results.map(\.check) == Self.all)
        #expect(report.recognizer == EngineIdentity(id: "counted", name: "Counted", version: "1.2.3"))
        #expect(report.engine == nil)
        #expect(report.count(.skipped) == (hasFiles ? 0 : 2))
    }

    @Test("A recognizer that only detects speech passes every check")
    func detector() throws {
        let checks = Check.allCases.filter { $0.kinds == [.recognizer] && $0 != .soundsDoNotGrow }
        let report = try Self.validate(
            try FixtureRecognizer("DETECTOR"), [.tableIsComplete, .fieldsAreValid, .sinkFalseStops] + checks)
        for result in report.results {
            #expect(result.isFine, "\(result.check.rawValue): \(result.outcome.detail)")
        }
        // The recognizer returns no partial text.
        #expect(report.results.filter { $0.outcome.verdict == .skipped }.map(\.check) == [.stablePartsStay])
    }

    @Test("A recognizer never receives more audio than it accepts")
    func longest() throws {
        let recognizer = try FixtureRecognizer("SECOND")
        let checks = Check.allCases.filter { $0.kinds == [.recognizer] && $0 != .soundsDoNotGrow }
        let report = try Self.validate(recognizer, [.sinkFalseStops, .lanesInParallel, .structOfTheFuture] + checks)
        for result in report.results {
            #expect(result.isFine, "\(result.check.rawValue): \(result.outcome.detail)")
        }
        let random = Validation(
            program: "\(BuildFolder.path)/synthhost-check", file: recognizer.path, limit: .seconds(600),
            stop: try WakeUp()
        ).fuzz(seed: 1, as: .recognizer)
        #expect(random?.verdict == .passed, "\(String(describing: random))")
    }

    @Test("The scripted recognizer passes every check")
    func scripted() throws {
        let report = try Self.validate(try FixtureRecognizer(compiling: ["Plugins/Scripted/scripted.c"]), Self.all)
        for result in report.results {
            #expect(result.isFine, "\(result.check.rawValue): \(result.outcome.detail)")
        }
        #expect(report.results.map(\.check) == Self.all)
        // The recognizer's files are optional, and it accepts all languages.
        #expect(
            report.results.filter { $0.outcome.verdict == .skipped }.map(\.check)
                == [.loadWithoutFiles, .loadWithDamagedFile, .errorBufferRespected])
    }

    /// The weights are random, so no words are transcribed, but all other parts of Whisper are tested.
    @Test("Whisper passes every check", .enabled(if: BuildFolder.hasNeuralEngines, "This test needs ONNX Runtime."))
    func whisper() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/Whisper").path
        let files = [
            ("encoder", "encoder_model.onnx"), ("decoder", "decoder_model_merged.onnx"),
            ("tokenizer", "tokenizer.json"), ("config", "generation_config.json"),
        ].map { HandedFile(role: $0.0, path: "\(folder)/\($0.1)") }
        let validation = Validation(
            program: "\(BuildFolder.path)/synthhost-check", file: "\(BuildFolder.path)/libWhisper.so", files: files,
            limit: .seconds(600), stop: try WakeUp())
        // These checks examine files or run for several seconds, and would find nothing in Whisper that the others
        // miss.
        let long: [Check] = [
            .loadUnloadDoesNotGrow, .soundsDoNotGrow, .cancelIsQuick, .cancelFromAnotherThread, .exportsOnlyEntry,
            .strangeHints, .wantsChangeNoFinal,
        ]
        let report = validation.run(Self.all.filter { LongForm.isAsked || !long.contains($0) }, as: .recognizer)
        for result in report.results where result.check != .exportsOnlyEntry {
            #expect(result.isFine, "\(result.check.rawValue): \(result.outcome.detail)")
        }
        // Whisper does not detect speech.
        #expect(
            report.results.filter { $0.outcome.verdict == .skipped }.map(\.check) == [.speechEventsAlternate])
    }

    @Test(
        "If a recognizer lacks its files, the transcription checks are skipped, and the message explains how to pass the files"
    )
    func withoutFiles() throws {
        let report = try Self.validate(
            try FixtureRecognizer(hasFiles: true), [.tableIsComplete, .understandsAShortSound, .emptySound])
        guard case .found(.words(let words))? = report.results.dropFirst().first?.outcome.detail else {
            Issue.record("\(report)")
            return
        }
        #expect(words == "Its model needs files; pass them: --file weights=PATH")
        #expect(report.results.map(\.outcome.verdict) == [.passed, .skipped, .skipped])
    }

    private static func validate(
        _ recognizer: FixtureRecognizer, hasFiles: Bool = false, _ checks: [Check]
    ) throws -> Validation.Report {
        let files = hasFiles ? [HandedFile(role: "weights", path: recognizer.folder.file("weights"))] : []
        let validation = Validation(
            program: "\(BuildFolder.path)/synthhost-check", file: recognizer.path, files: files, limit: .seconds(600),
            stop: try WakeUp())
        return withExtendedLifetime(recognizer) { validation.run(checks, as: .recognizer) }
    }
}
