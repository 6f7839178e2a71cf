import Books
import CommandSyntax
import Sentences
import Synchronization
import SynthHost
import System
import Terminal

/// What `book` tells while it makes a book, and after it.
final class BookReport {
    /// A line of `book -o --json`.
    private struct Line: Encodable {
        let file: String
        let chapter: Int?
        let title: String?
        let seconds: Double
        /// Whether it was there already.
        let kept: Bool
    }

    let reporter: ProgressReporter
    let notices: BookNotices
    private let context: CommandContext
    private let target: BookTarget
    private let wantsJSON: Bool
    private let isQuiet: Bool
    private let ticker: ProgressTicker
    private let begun = ContinuousClock.now
    private var isSpeaking = false
    /// The first failure to write a result.
    private var failure: CommandFailure?
    private var keptCount = 0

    init(_ context: CommandContext, _ arguments: ParsedArguments, _ target: BookTarget) {
        self.context = context
        self.target = target
        wantsJSON = arguments[Options.json]
        isQuiet = arguments[Options.quiet]
        reporter = context.reporter(json: wantsJSON, quiet: isQuiet)
        notices = BookNotices(reporter)
        ticker = ProgressTicker(reporter)
    }

    deinit { ticker.stop() }

    func begin(_ label: String) { reporter.begin(label) }

    func end() { reporter.end() }

    /// Called on the thread that makes the book.
    func progress(_ progress: BookProgress) {
        switch progress {
        case .spoken(let share):
            if !isSpeaking {
                isSpeaking = true
                reporter.begin("Speaking \(share.total) \(share.total == 1 ? "word" : "words")")
            }
            reporter.report(
                .fraction(share.total == 0 ? 1 : share.words / Double(share.total)), detail: detail(of: share))
        case .joining:
            reporter.begin("Writing \(target.path)")
            isSpeaking = false
        case .file(let file): tell(file)
        }
    }

    /// "chapter 3 of 12 (41 %), 14 times as fast as heard"
    private func detail(of share: BookShare) -> String {
        let chapter = "chapter \(share.chapter) of \(share.chapterCount) (\(Readable.percentage(share.ofChapter)))"
        return chapter + (MadeSpeed.factor(share.seconds, since: begun).map { ", \($0) times as fast as heard" } ?? "")
    }

    private func tell(_ file: BookFile) {
        if file.isKept { keptCount += 1 }
        if wantsJSON {
            let line = Line(
                file: file.path, chapter: file.chapter, title: file.title,
                seconds: (file.seconds * 1000).rounded() / 1000, kept: file.isKept)
            do throws(CommandFailure) { try context.print(try JSONText.line(of: line)) } catch {
                failure = failure ?? error
            }
        } else if !file.isKept, target.form == .folder {
            reporter.print("Wrote \(file.path): \(Readable.duration(.seconds(file.seconds))) of speech.")
        }
    }

    func conclude(_ outcome: BookOutcome, _ shard: BookShard?) throws(CommandFailure) {
        if let failure { throw failure }
        if shard == nil, !outcome.wasCancelled, outcome.files.isEmpty { throw CommandFailure(BookFailure.empty) }
        guard !wantsJSON, !isQuiet else { return }
        if outcome.wasCancelled {
            context.say("Stopped. What was spoken is kept: the same command goes on.")
            return
        }
        if let shard {
            context.say(
                "Spoke share \(shard.number) of \(shard.count): \(Readable.duration(.seconds(outcome.seconds))) of speech."
            )
            context.say("When all shares are spoken, type the same command with --join in place of --shard.")
            return
        }
        let seconds = outcome.files.reduce(0) { $0 + $1.seconds }
        var words = ["\(target.path) is whole: \(Readable.duration(.seconds(seconds))) of speech"]
        if target.form == .folder {
            words.append("in \(outcome.files.count) \(outcome.files.count == 1 ? "file" : "files")")
        }
        if keptCount == outcome.files.count { words.append("which were there already") }
        if let speed = MadeSpeed.words(outcome.seconds, since: begun) { words.append(speed) }
        context.say(words.joined(separator: ", ") + ".")
    }
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
    /// As in "made 44 times as fast as it is heard"; nil = none was.
    static func words(_ seconds: Double, since begun: ContinuousClock.Instant) -> String? {
        factor(seconds, since: begun).map { "made \($0) times as fast as it is heard" }
    }

    /// "44", "0.8"
    static func factor(_ seconds: Double, since begun: ContinuousClock.Instant) -> String? {
        let spent = (ContinuousClock.now - begun) / .seconds(1)
        guard seconds > 0, spent > 0 else { return nil }
        let speed = seconds / spent
        return speed >= 10 ? "\(Int(speed))" : "\((speed * 10).rounded() / 10)"
    }
}
