import Synchronization
import SynthCommandSyntax
import SynthHost
import SynthTerminal

/// The output that `book` and `batch` share while they write files: progress, notices, and results as JSON.
final class BookProgressDisplay {
    let reporter: ProgressReporter
    let notices: BookNotices
    let wantsJSON: Bool
    let isQuiet: Bool
    private let context: CommandContext
    private let isVerbose: Bool
    private let ticker: ProgressTicker
    /// The first error while writing a result.
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

    /// Receives the log lines of engines, or nil if they are not shown.
    var log: (@Sendable (String) -> Void)? {
        guard isVerbose else { return nil }
        return { [reporter] line in reporter.print(line) }
    }

    /// Prints a result as a line of JSON. An error is stored for `check`, because the work continues.
    func print(_ line: some Encodable) {
        do { try context.print(try JSONText.line(of: line)) } catch {
            failure = failure ?? error
        }
    }

    /// - Throws: the first error while writing a result.
    func check() throws { if let failure { throw failure } }
}

/// Reports each deviation from the requested speech once.
final class BookNotices: Sendable {
    private let told = Mutex<Set<String>>([])
    private let reporter: ProgressReporter

    init(_ reporter: ProgressReporter) { self.reporter = reporter }

    /// Thread-safe.
    @Sendable func take(_ notice: SpeechNotice) {
        let sentence = notice.sentence
        if told.withLock({ $0.insert(sentence).inserted }) { reporter.print(sentence) }
    }
}

enum MadeSpeed {
    /// A phrase such as "made 44 times as fast as playback", or nil if no audio was made.
    static func words(_ seconds: Double, since begun: ContinuousClock.Instant) -> String? {
        factor(seconds, since: begun).map { "\($0) times as fast as playback" }
    }

    /// Formats the speed relative to playback, such as "44" or "0.8".
    static func factor(_ seconds: Double, since begun: ContinuousClock.Instant) -> String? {
        let spent = (ContinuousClock.now - begun) / .seconds(1)
        guard seconds > 0, spent > 0 else { return nil }
        let speed = seconds / spent
        return speed >= 10 ? "\(Int(speed))" : "\((speed * 10).rounded() / 10)"
    }
}
