import Synchronization
import SynthCommandSyntax
import SynthHost
import SynthTerminal

/// What `book` and `batch` show in the same way while they make files: progress, notices, results as JSON.
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

    /// For what engines log; nil = nobody wants it.
    var log: (@Sendable (String) -> Void)? {
        guard isVerbose else { return nil }
        return { [reporter] line in reporter.print(line) }
    }

    /// A result as a line of JSON. A failure is kept for `check`, because what is being made goes on.
    func print(_ line: some Encodable) {
        do { try context.print(try JSONText.line(of: line)) } catch {
            failure = failure ?? error
        }
    }

    /// - Throws: if a result could not be written.
    func check() throws { if let failure { throw failure } }
}

/// Tells what was spoken otherwise than the book asks, each once.
final class BookNotices: Sendable {
    private let told = Mutex<Set<String>>([])
    private let reporter: ProgressReporter

    init(_ reporter: ProgressReporter) { self.reporter = reporter }

    /// From any thread.
    @Sendable func take(_ notice: SpeechNotice) {
        let sentence = notice.sentence
        if told.withLock({ $0.insert(sentence).inserted }) { reporter.print(sentence) }
    }
}

/// How fast sound was made.
enum MadeSpeed {
    /// As in "made 44 times as fast as playback"; nil = none was.
    static func words(_ seconds: Double, since begun: ContinuousClock.Instant) -> String? {
        factor(seconds, since: begun).map { "made \($0) times as fast as playback" }
    }

    /// "44", "0.8"
    static func factor(_ seconds: Double, since begun: ContinuousClock.Instant) -> String? {
        let spent = (ContinuousClock.now - begun) / .seconds(1)
        guard seconds > 0, spent > 0 else { return nil }
        let speed = seconds / spent
        return speed >= 10 ? "\(Int(speed))" : "\((speed * 10).rounded() / 10)"
    }
}
