import SpeechScript
import System

/// Utterances of a text that comes in pieces, in its own time.
final class TextFeedSource: TextSource, @unchecked Sendable {
    private let feed: TextFeed
    /// Used by the one thread that calls `next`.
    private var script = PlainTextScript()
    private var isAtEnd = false
    private var wasSilent = false
    private var isAwaited: @Sendable () -> Bool = { false }
    private var failure: TextError?

    /// How long nothing may come before what came last counts as said.
    private static let patience = Duration.milliseconds(150)

    init(_ feed: TextFeed) { self.feed = feed }

    var byteCount: Int? { nil }
    var file: RegularFile? { nil }

    func beginSoon(whereverThat isAwaited: @escaping @Sendable () -> Bool) {
        script.limits = .early
        self.isAwaited = isAwaited
    }

    func stop() { feed.stop() }

    func next() throws(SpeechFailure) -> Utterance? {
        var isPatient = true
        while true {
            if let utterance = script.next() { return utterance }
            if let failure { throw .text(failure) }
            if isAtEnd { return nil }
            switch try feed.next(within: isPatient ? Self.patience : nil) {
            case .text(let piece):
                if wasSilent, isAwaited() { script.beginAnew() }
                wasSilent = false
                isPatient = true
                take { script throws(TextError) in try script.append(piece) }
            case .silence:
                script.flushIdle()
                isPatient = false
                wasSilent = true
            case .end:
                isAtEnd = true
                take { script throws(TextError) in try script.finish() }
            }
        }
    }

    /// What stands before a mistake is spoken first.
    private func take(_ body: (inout PlainTextScript) throws(TextError) -> Void) {
        do throws(TextError) {
            try body(&script)
        } catch {
            failure = error
            isAtEnd = true
        }
    }
}
