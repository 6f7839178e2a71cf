import SpeechScript
import System

/// Utterances of a text that comes in pieces, in its own time.
final class TextFeedSource: TextSource, @unchecked Sendable {
    private let feed: TextFeed
    /// Used by the one thread that calls `next`.
    private var script = LiveScript()

    init(_ feed: TextFeed) { self.feed = feed }

    var byteCount: Int? { nil }
    var file: RegularFile? { nil }

    func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) {
        script.beginSoon(ifAwaited: isAwaited)
    }

    func stop() { feed.stop() }

    func next() throws(SpeechFailure) -> ScriptStep? {
        let feed = feed
        var piece: String?
        return try script.next(
            isLive: true,
            wait: { limit throws(SpeechFailure) in
                switch try feed.next(within: limit) {
                case .text(let text): piece = text
                case .silence: return .silence
                case .end: piece = nil
                }
                return .text
            },
            read: { () throws(SpeechFailure) in piece },
            append: { script, text throws(TextError) in try script.append(text) })
    }
}
