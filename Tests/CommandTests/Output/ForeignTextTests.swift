import CommandSupport
import Synchronization
import SynthAudio
import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthScript
import SynthSystem
import SynthTerminal
import Testing
import TestSupport

@testable import synthhost_cli
@testable import SynthCommandSyntax
@testable import SynthHost
@testable import SynthModelStore
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Untrusted text")
struct ForeignTextTests {
    private static let terminal = TerminalStyle(isTerminal: true, allowsColor: true, allowsAnimation: true)

    /// Captures a context's output as a terminal would receive it.
    private final class Page: Sendable {
        private let text = Mutex("")

        var output: TextOutput {
            TextOutput(style: ForeignTextTests.terminal, send: { part in self.text.withLock { $0 += part } })
        }

        func take() -> String {
            text.withLock { text in
                defer { text = "" }
                return text
            }
        }
    }

    private func context(_ page: Page, json: Bool = false) -> CommandContext {
        var context = CommandContext(
            output: page.output, soundOutput: -1, errors: page.output, input: -1, terminal: .none, environment: [:],
            executable: "/synthhost", version: "0", interruption: TestInterruption(), devices: .missing)
        context.reportsAsJSON = json
        return context
    }

    /// All errors that contain untrusted text, with that text in every position.
    private func failures(_ text: String) -> [CommandFailure] {
        let engine = [
            EngineFailure.Reason.refused(Refusal(.cannotBeLoaded(text))),
            .refused(Refusal(.ofOtherUser(text), of: .namedLibrary(text, for: text))),
            .refused(Refusal(.lacksLibrary(text))), .refused(Refusal(.description(.sameID(text)))),
            .notStarted(.program(text, Errno(2))), .crashed(signal: 11, .loading),
            .reported(EngineError(.failed, text, role: text)), .reported(EngineError(.violatedContract, text)),
        ].map { CommandFailure(EngineFailure(engine: text, reason: $0, log: text)) }
        let voice = [
            VoiceError.unknownEngine(text, near: [text]), .noVoices(engine: text),
            .unknownVoice(text, near: [text, text]), .forgottenVoice(text, engine: text, near: [text]),
            .ambiguousVoice(text, candidates: [text, text]), .unknownSpeaker(text, voice: text, speakers: [text]),
            .speakerOfBlend(text), .incompleteBlend(text), .noWeight(text, voice: text), .noBlends(engine: text),
            .blendOfEngines(text, text, other: text, otherEngine: text), .blendOfModels(text, other: text),
            .unknownLanguage(text, engine: text, near: [text]), .unsupportedVoice(title: text, why: text),
            .notDownloaded(title: text, word: text, bytes: 1, why: text), .missingEngine(title: text, engine: text),
            .missingFile(title: text, role: text),
        ].map { CommandFailure($0) }
        let audio = [
            AudioError.outputNotCreated(path: text, code: 2), .outputNotWritten(name: .file(text), code: 5),
            .deviceMissing(device: text, known: [text]), .deviceNotOpened(device: text, code: 2),
            .deviceFailed(device: text, code: 5), .conversionFailed(.library(text)),
        ].map { CommandFailure($0) }
        return engine + voice + audio + [
            CommandFailure(RegistryError(origin: .file(text), line: 1, subject: .key(text), .badPath(text))),
            CommandFailure(RegistryError(origin: .engine(text), subject: .voice(text), .addressNamesNoFile(text))),
            CommandFailure(SpeechError(StoreError.noFile(ending: text, folder: text))),
            CommandFailure(SpeechError(StoreError.file(FileFailure(Errno(5), call: "open", path: text)))),
            CommandFailure(
                SpeechError(
                    StoreError.notDownloaded(
                        DownloadFailure(
                            file: text, voice: text, folder: text, mirror: text,
                            .servers([ServerFailure(url: text, host: text, .webPage, mayPass: false)]))))),
            CommandFailure(SpeechError(StoreError.notUnpacked(archive: text, .damaged(detail: text), isGiven: true))),
            CommandFailure(SpeechError.notReadable(text, Errno(2))),
            CommandFailure(SpeechError.installationIncomplete(text, candidates: [text])),
            CommandFailure(.usage, UsageError(.unknownCommand(text, nearest: text), command: text).message),
            CommandFailure(
                .usage,
                UsageError(.invalidValue(option: text, value: text, expectation: text), command: "").message),
        ]
    }

    /// The first control character; nil if there is none.
    private func steering(_ text: some StringProtocol) -> String? {
        for scalar in text.unicodeScalars where scalar != "\n" && scalar.steersTerminal {
            return String(scalar.value, radix: 16)
        }
        return nil
    }

    /// Checks that the output contains no control characters except line feeds, and no additional lines.
    private func check(_ page: Page, lines: Int, _ what: String, of source: String) {
        let text = page.take()
        guard steering(text) == nil, text.utf8.count(where: { $0 == 0x0A }) == lines, text.hasSuffix("\n") else {
            Issue.record(
                "\(what) of \(source.prefix(200).debugDescription): \(text.prefix(400).debugDescription)")
            return
        }
    }

    private func checkOutputs(_ text: String) throws {
        let page = Page()
        let plain = context(page)
        let json = context(page, json: true)
        try plain.print(text)
        check(page, lines: 1, "a line", of: text)
        try plain.print(data: text)
        check(page, lines: 1, "a value on a terminal", of: text)
        plain.printMessage(text)
        check(page, lines: 1, "a message", of: text)
        var table = Table(columns: [.init("NAME"), .init("SIZE", alignment: .trailing)])
        table.append([text, text])
        try plain.print(text: table.render(for: page.output))
        check(page, lines: 2, "a table", of: text)
        try plain.print(try JSONText.line(of: [text: text]))
        check(page, lines: 1, "JSON", of: text)
        for line in DoctorFinding(.bad, text, text, remedy: text).lines { try plain.print(line) }
        check(page, lines: 2, "a finding", of: text)
        let failure = CommandFailure(.failure, text, text)
        plain.report(failure)
        check(page, lines: 2, "a failure", of: text)
        json.report(failure)
        check(page, lines: 1, "a failure as JSON", of: text)
    }

    private func checkProgress(_ text: String) {
        let page = Page()
        for form in [ProgressForm.plain, .json, .live] {
            let time = Mutex(Duration.zero)
            let clock = ProgressClock(now: { time.withLock { $0 } }, sleep: { _ in })
            let reporter = ProgressReporter(form: form, output: page.output, clock: clock)
            reporter.begin(text)
            time.withLock { $0 = .seconds(2) }
            reporter.report(.bytes(done: 1, total: 2), label: text)
            reporter.print(text)
            reporter.end()
            let written = page.take().replacing("\r", with: "").replacing("\u{1B}[K", with: "")
            if let bad = steering(written) {
                Issue.record("Progress in the form \(form) of \(text.debugDescription): \(bad)")
            }
        }
    }

    @Test("Untrusted text never reaches a terminal with control characters or line breaks")
    func outputs() throws {
        var texts = HostileText(seed: 1)
        for _ in 0..<3_000 {
            let text = texts.next()
            try checkOutputs(text)
            checkProgress(text)
        }
    }

    @Test("Untrusted text is harmless in every error that contains it")
    func errors() {
        var texts = HostileText(seed: 2)
        let page = Page()
        for round in 0..<3_000 {
            let text = texts.next()
            let failures = failures(text)
            // Each error is tested with hundreds of texts, and each text with one error.
            let failure = failures[round % failures.count]
            context(page).report(failure)
            check(page, lines: failure.remedy.isEmpty ? 1 : 2, "error \(round % failures.count)", of: text)
            context(page, json: true).report(failure)
            check(page, lines: 1, "error \(round % failures.count) as JSON", of: text)
        }
    }

    @Test("A one-megabyte text becomes a single line of limited length")
    func length() throws {
        var texts = HostileText(seed: 3)
        let page = Page()
        let text = texts.nextLong()
        try checkOutputs(text)
        for failure in failures(text) {
            context(page).report(failure)
            let report = page.take()
            #expect(report.utf8.count < 50_000)
            #expect(steering(report) == nil)
        }
    }

    @Test("Data intended for other programs is written unchanged")
    func data() throws {
        let written = Mutex("")
        let output = TextOutput(style: .plain, send: { part in written.withLock { $0 += part } })
        try output.writeData("a\u{1B}[1mb")
        #expect(written.withLock { $0 } == "a\u{1B}[1mb\n")
    }

    @Test("Untrusted text is preserved in JSON")
    func json() throws {
        let text = "a\u{202E}b\u{9B}c\u{7F}\u{2028}\n"
        let line = try JSONText.line(of: ["name": text])
        #expect(line == "{\"name\":\"a\\u202eb\\u009bc\\u007f\\u2028\\n\"}")
        #expect(try parse(line)["name"] as? String == text)
    }
}
