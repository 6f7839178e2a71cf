import Synchronization
import SynthCommandSyntax
import SynthHost
import SynthTerminal

/// The common output of `book` and `batch` while they write files: progress, notices, results as JSON.
final class BookProgressDisplay {
    let reporter: ProgressReporter
    let notices: BookNotices
    let wantsJSON: Bool
    let isQuiet: Bool
    private let context: CommandContext
    private let isVerbose: Bool
    private let ticker: ProgressTicker
    /// The first failure to write a result.
    private var failure: (any Error)?

    init(_ context: CommandContext, _ arguments: ParsedArguments) {
        self.context = context
        wantsJSON = arguments[Options.json]
        isQuiet = arguments[Options.quiet]
        isVerbose = arguments[Options.verbose]
        reporter = context.reporter(json: wantsJSON, quiet: isQuiet)
        notices = BookNotices(reporter)
        ticker = ProgressTicker(reporter)
    }

    deinit { ticker.stop() }

    /// Receives the log lines of engines; nil = they are not shown.
    var log: (@Sendable (String) -> Void)? {
        guard isVerbose else { return nil }
        return { [reporter] line in reporter.print(line) }
    }

    /// Prints a result as a line of JSON. A failure is kept for `check`, because the work continues.
    func print(_ line: some Encodable) {
        do { try context.print(try JSONText.line(of: line)) } catch {
            failure = failure ?? error
        }
    }

    /// - Throws: if a result could not be written.
    func check() throws { if let failure { throw failure } }
}

/// Reports differences between the speech and the book, each once.
final class BookNotices: Sendable {
    private let told = Mutex<Set<String>>([])
    private let reporter: ProgressReporter

    init(_ reporter: ProgressReporter) { self.reporter = reporter }

    /// Any thread may call it.
    @Sendable func take(_ notice: SpeechNotice) {
        let sentence = notice.sentence
        if told.withLock({ $0.insert(sentence).inserted }) { reporter.print(sentence) }
    }
}

/// The speed of synthesis.
enum MadeSpeed {
    /// As in "made 44 times as fast as playback"; nil = no audio was made.
    static func words(_ seconds: Double, since begun: ContinuousClock.Instant) -> String? {
        factor(seconds, since: begun).map { "\($0) times as fast as playback" }
    }

    /// "44", "0.8"
    static func factor(_ seconds: Double, since begun: ContinuousClock.Instant) -> String? {
        let spent = (ContinuousClock.now - begun) / .seconds(1)
        guard seconds > 0, spent > 0 else { return nil }
        let speed = seconds / spent
        return speed >= 10 ? "\(Int(speed))" : "\((speed * 10).rounded() / 10)"
    }
}
