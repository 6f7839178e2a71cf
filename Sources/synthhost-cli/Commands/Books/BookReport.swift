import Synchronization
import SynthBooks
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// The messages that `book` prints while it works and when it is done.
final class BookReport {
    let display: BookProgressDisplay
    private let context: CommandContext
    private let target: BookTarget
    private let begun = ContinuousClock.now
    private var isSpeaking = false
    private var keptCount = 0

    init(_ context: CommandContext, _ target: BookTarget) {
        self.context = context
        self.target = target
        display = BookProgressDisplay(context)
    }

    /// Called on the thread that creates the book.
    func progress(_ progress: BookProgress) {
        switch progress {
        case .spoken(let share):
            if !isSpeaking {
                isSpeaking = true
                display.reporter.begin("Speaking \(share.total) \(share.total == 1 ? "word" : "words")")
            }
            display.reporter.report(
                .fraction(share.total == 0 ? 1 : share.words / Double(share.total)), detail: detail(of: share))
        case .restarted:
            display.reporter.print(
                "An earlier version of synthhost started this book and split its text differently, so the whole book will be spoken again."
            )
        case .joining:
            display.reporter.begin("Writing \(target.path)")
            isSpeaking = false
        case .file(let file): tell(file)
        }
    }

    /// The progress as text, such as "chapter 3 of 12 (41%), 14 times as fast as playback".
    private func detail(of share: BookShare) -> String {
        let chapter = "chapter \(share.chapter) of \(share.chapterCount) (\(HumanReadable.percentage(share.ofChapter)))"
        return chapter
            + (MadeSpeed.factor(share.seconds, since: begun).map { ", \($0) times as fast as playback" } ?? "")
    }

    private func tell(_ file: BookFile) {
        if file.isKept { keptCount += 1 }
        if context.arguments[Options.json] {
            display.print([
                "file": file.path, "chapter": file.chapter, "title": file.title,
                "seconds": (file.seconds * 1000).rounded() / 1000, "kept": file.isKept,
            ])
        } else if !file.isKept, target.form == .folder {
            display.reporter.print("Wrote \(file.path): \(HumanReadable.duration(.seconds(file.seconds))) of speech.")
        }
    }

    func conclude(_ outcome: BookOutcome, _ shard: BookShard?) throws {
        try display.check()
        if shard == nil, !outcome.wasCancelled, outcome.files.isEmpty { throw CommandFailure(BookFailure.empty) }
        guard !context.arguments[Options.json], !context.arguments[Options.quiet] else { return }
        if outcome.wasCancelled {
            context.printMessage("Stopped; finished parts are kept. Run the same command again to continue.")
            return
        }
        if let shard {
            context.printMessage(
                "Shard \(shard.number) of \(shard.count) is complete: \(HumanReadable.duration(.seconds(outcome.seconds))) of speech."
            )
            context.printMessage("When all shards are complete, run the same command with --join instead of --shard.")
            return
        }
        let seconds = outcome.files.reduce(0) { $0 + $1.seconds }
        var words = ["\(target.path) is complete: \(HumanReadable.duration(.seconds(seconds))) of speech"]
        if target.form == .folder {
            words.append("in \(outcome.files.count) \(outcome.files.count == 1 ? "file" : "files")")
        }
        if keptCount == outcome.files.count { words.append("all from an earlier run") }
        if let speed = MadeSpeed.words(outcome.seconds, since: begun) { words.append(speed) }
        context.printMessage(words.joined(separator: ", ") + ".")
    }
}

/// The output that `book` and `batch` have in common while they write files: progress, notices, and results as JSON.
final class BookProgressDisplay: CommandPart {
    let reporter: ProgressReporter
    let notices: BookNotices
    let context: CommandContext
    private let ticker: ProgressTicker
    /// The first error that occurred while writing a result.
    private var failure: (any Error)?

    init(_ context: CommandContext) {
        self.context = context
        reporter = context.reporter()
        notices = BookNotices(reporter)
        ticker = ProgressTicker(reporter)
    }

    deinit { ticker.stop() }

    /// Receives the engines' log lines, or nil if these are not shown.
    var log: (@Sendable (String) -> Void)? {
        guard arguments[Options.verbose] else { return nil }
        return { [reporter] line in reporter.print(line) }
    }

    /// Prints a result as a line of JSON. Because the work continues, an error is stored and thrown later by `check`.
    func print(_ line: JSONMembers) {
        do { try context.print(json: line) } catch { failure = failure ?? error }
    }

    /// - Throws: the first error that occurred while writing a result.
    func check() throws { if let failure { throw failure } }
}

/// Reports each deviation from the requested speech only once.
final class BookNotices: Sendable {
    private let told = Mutex<Set<String>>([])
    private let reporter: ProgressReporter

    init(_ reporter: ProgressReporter) { self.reporter = reporter }

    /// Prints a notice, unless it has been printed before. Thread-safe.
    @Sendable func take(_ notice: SpeechNotice) {
        let sentence = notice.sentence
        if told.withLock({ $0.insert(sentence).inserted }) { reporter.print(sentence) }
    }
}

enum MadeSpeed {
    /// A phrase such as "44 times as fast as playback", or nil if no audio was produced.
    static func words(_ seconds: Double, since begun: ContinuousClock.Instant) -> String? {
        factor(seconds, since: begun).map { "\($0) times as fast as playback" }
    }

    /// The factor, such as "44" or "0.8".
    static func factor(_ seconds: Double, since begun: ContinuousClock.Instant) -> String? {
        let spent = (ContinuousClock.now - begun) / .seconds(1)
        guard seconds > 0, spent > 0 else { return nil }
        let speed = seconds / spent
        return speed >= 10 ? "\(Int(speed))" : "\((speed * 10).rounded() / 10)"
    }
}
