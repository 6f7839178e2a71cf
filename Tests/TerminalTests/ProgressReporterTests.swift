import Glibc
import Synchronization
import SynthTerminal
import Testing
import TestSupport

@Suite struct ProgressReporterTests {
    /// A clock advanced by the test, and the captured output.
    private final class Harness: Sendable {
        private let time = Mutex(Duration.zero)
        private let written = Mutex("")

        func reporter(_ form: ProgressForm, columns: Int = 80) -> ProgressReporter {
            let output = TextOutput(
                style: .plain, columns: { columns }, send: { text in self.written.withLock { $0 += text } })
            let clock = ProgressClock(
                now: { self.time.withLock { $0 } }, sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
            return ProgressReporter(form: form, output: output, clock: clock)
        }

        func advance(by duration: Duration) {
            time.withLock { $0 += duration }
        }

        /// The output since the last call.
        func takeOutput() -> String {
            written.withLock { text in
                defer { text = "" }
                return text
            }
        }
    }

    private let harness = Harness()

    @Test("A short wait produces no output in any format except JSON", arguments: [ProgressForm.live, .plain, .quiet])
    func silence(form: ProgressForm) {
        let reporter = harness.reporter(form)
        reporter.begin("Loading Heart")
        harness.advance(by: .milliseconds(990))
        reporter.report(.fraction(0.5))
        reporter.tick()
        reporter.end()
        #expect(harness.takeOutput() == "")
    }

    @Test("The live line appears after one second, shows the progress after ten seconds, and is cleared at the end")
    func live() {
        let reporter = harness.reporter(.live)
        reporter.begin("Loading Heart")
        harness.advance(by: .seconds(1))
        reporter.tick()
        #expect(harness.takeOutput() == "\rLoading Heart…\u{1B}[K\r")
        reporter.report(.bytes(done: 0, total: nil))
        harness.advance(by: .seconds(8))
        reporter.report(.bytes(done: 9_000_000, total: nil))
        #expect(harness.takeOutput() == "")
        harness.advance(by: .seconds(1))
        reporter.tick()
        #expect(harness.takeOutput() == "\rLoading Heart  9.0 MB  1.0 MB/s\u{1B}[K\r")
        reporter.end()
        #expect(harness.takeOutput() == "\r\u{1B}[K")
        reporter.end()
        #expect(harness.takeOutput() == "")
    }

    @Test("If the wait is estimated to be long, the progress is shown immediately")
    func estimate() {
        let reporter = harness.reporter(.live)
        reporter.begin("Downloading")
        reporter.report(.bytes(done: 0, total: 100_000_000))
        harness.advance(by: .seconds(2))
        reporter.report(.bytes(done: 10_000_000, total: 100_000_000))
        #expect(harness.takeOutput() == "\rDownloading  10%  10.0 MB of 100 MB  5.0 MB/s  18 s left\u{1B}[K\r")
    }

    @Test("The live line is drawn at most ten times per second")
    func redraws() {
        let reporter = harness.reporter(.live)
        reporter.begin("Downloading")
        harness.advance(by: .seconds(10))
        for step in 0..<1000 {
            reporter.report(.bytes(done: Int64(step) * 1_000_000, total: nil))
            harness.advance(by: .milliseconds(1))
        }
        #expect(harness.takeOutput().split(separator: "\u{1B}[K\r").count == 10)
    }

    @Test("A message replaces the live line, which is redrawn below the message")
    func message() {
        let reporter = harness.reporter(.live)
        reporter.begin("Downloading")
        reporter.print("before the line")
        harness.advance(by: .seconds(1))
        reporter.tick()
        reporter.print("The mirror is slow.")
        #expect(
            harness.takeOutput()
                == "before the line\n\rDownloading…\u{1B}[K\r\r\u{1B}[KThe mirror is slow.\n\rDownloading…\u{1B}[K\r")
    }

    @Test("The live line leaves the last column free")
    func clipped() {
        let reporter = harness.reporter(.live, columns: 10)
        reporter.begin("Downloading")
        harness.advance(by: .seconds(1))
        reporter.tick()
        #expect(harness.takeOutput() == "\rDownload…\u{1B}[K\r")
    }

    @Test("Without a live line, each 10% step and each label is printed as one plain line regardless of the duration")
    func plain() {
        let reporter = harness.reporter(.plain)
        reporter.begin("Downloading")
        reporter.report(.bytes(done: 0, total: 1_000_000))
        harness.advance(by: .seconds(10))
        for percent in 1...21 {
            reporter.report(.bytes(done: Int64(percent) * 10_000, total: 1_000_000))
            harness.advance(by: .milliseconds(100))
        }
        let lines = harness.takeOutput().split(separator: "\n")
        #expect(lines.map { $0.split(separator: "  ")[1] } == ["1%", "10%", "20%"])
        // The remaining time changes continuously.
        for percent in 22...29 {
            harness.advance(by: .seconds(60))
            reporter.tick()
            reporter.report(.bytes(done: Int64(percent) * 10_000, total: 1_000_000))
        }
        #expect(harness.takeOutput() == "")
        reporter.report(.bytes(done: 450_000, total: 1_000_000))
        #expect(harness.takeOutput().hasPrefix("Downloading  45%  "))
        reporter.report(.bytes(done: 500_000, total: 1_000_000))
        #expect(harness.takeOutput().hasPrefix("Downloading  50%  "))
        reporter.report(.unknown, label: "Unpacking")
        reporter.end()
        #expect(harness.takeOutput() == "Unpacking…\n")
    }

    @Test("In plain format, a wait of unknown length prints any new progress every half minute")
    func plainWithoutEnd() {
        let reporter = harness.reporter(.plain)
        reporter.begin("Downloading")
        harness.advance(by: .seconds(11))
        reporter.report(.bytes(done: 1_000_000, total: nil))
        #expect(harness.takeOutput().split(separator: "\n").count == 1)
        for second in 1...90 {
            harness.advance(by: .seconds(1))
            reporter.report(.bytes(done: Int64(second + 1) * 1_000_000, total: nil))
        }
        #expect(harness.takeOutput().split(separator: "\n").count == 3)
        reporter.begin("Loading")
        harness.advance(by: .seconds(300))
        for _ in 0..<3 { reporter.tick() }
        #expect(harness.takeOutput() == "Loading…\n")
    }

    @Test("The live line is removed before other output and then redrawn")
    func clear() {
        let reporter = harness.reporter(.live)
        reporter.begin("Listening")
        harness.advance(by: .seconds(1))
        reporter.tick()
        #expect(harness.takeOutput() == "\rListening…\u{1B}[K\r")
        reporter.clear()
        reporter.clear()
        #expect(harness.takeOutput() == "\r\u{1B}[K")
        reporter.report(.unknown)
        #expect(harness.takeOutput() == "\rListening…\u{1B}[K\r")
    }

    @Test("JSON output has one event per line, including the start and the end")
    func json() {
        let reporter = harness.reporter(.json)
        reporter.begin("Downloading \"Heart\"")
        reporter.report(.bytes(done: 10, total: 40))
        reporter.report(.bytes(done: 20, total: 40))
        reporter.print("slow\n")
        reporter.end()
        #expect(
            harness.takeOutput() == #"""
                {"event":"begin","label":"Downloading \"Heart\""}
                {"event":"progress","label":"Downloading \"Heart\"","fraction":0.25,"bytesDone":10,"bytesTotal":40}
                {"event":"message","text":"slow\n"}
                {"event":"end","label":"Downloading \"Heart\"","fraction":0.5,"bytesDone":20,"bytesTotal":40}

                """#)
    }

    @Test("The quiet format produces no output")
    func quiet() {
        let reporter = harness.reporter(.quiet)
        reporter.begin("Downloading")
        harness.advance(by: .seconds(60))
        reporter.report(.fraction(0.5))
        reporter.print("hello")
        reporter.end()
        #expect(harness.takeOutput() == "")
    }

    @Test("The format depends on the stream, --json and --quiet")
    func forms() {
        let terminal = TerminalStyle(isTerminal: true, allowsColor: true, allowsAnimation: true)
        #expect(ProgressForm(for: terminal) == .live)
        #expect(ProgressForm(for: .plain) == .plain)
        #expect(ProgressForm(for: terminal, json: true) == .json)
        #expect(ProgressForm(for: terminal, json: true, quiet: true) == .quiet)
    }

    @Test("If writing to the stream fails, only the reporter falls silent")
    func broken() {
        let calls = Mutex(0)
        let output = TextOutput(
            style: .plain,
            send: { _ throws(TerminalError) in
                calls.withLock { $0 += 1 }
                throw .brokenPipe
            })
        let reporter = ProgressReporter(form: .plain, output: output)
        reporter.print("one")
        reporter.print("two")
        #expect(calls.withLock { $0 } == 1)
    }

    @Test("A wait returns the body's value and draws the live line as long as the body reports nothing")
    func waits() async {
        let written = Mutex("")
        let (drawn, signal) = AsyncStream.makeStream(of: Void.self)
        let time = Mutex(Duration.zero)
        let output = TextOutput(
            style: .plain,
            send: { text in
                written.withLock { $0 += text }
                signal.yield()
            })
        let clock = ProgressClock(
            now: { time.withLock { $0 } },
            sleep: { pause in
                try Task.checkCancellation()
                time.withLock { $0 += pause }
                await Task.yield()
            })
        let reporter = ProgressReporter(form: .live, output: output, clock: clock)
        let value = await reporter.wait("Loading") {
            for await _ in drawn { break }
            return 42
        }
        #expect(value == 42)
        #expect(written.withLock { $0 } == "\rLoading…\u{1B}[K\r\r\u{1B}[K")
    }

    @Test("The live line is cleared on a real terminal")
    func realTerminal() throws {
        let terminal = try PseudoTerminal()
        let time = Mutex(Duration.zero)
        let reporter = ProgressReporter(
            form: .live, output: TextOutput(descriptor: terminal.program),
            clock: ProgressClock(now: { time.withLock { $0 } }, sleep: { _ in }))
        reporter.begin("Loading")
        time.withLock { $0 = .seconds(2) }
        reporter.tick()
        reporter.end()
        #expect(terminal.screen() == "\rLoading…\u{1B}[K\r\r\u{1B}[K")
    }
}
