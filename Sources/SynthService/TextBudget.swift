import SynthHost
import SynthSystem

/// Limits the memory for long texts, from parsing to the end of speech, and serializes parsing. Short texts are always accepted, because
/// the number of clients already limits them. Thread-safe.
final class TextBudget: Sendable {
    /// The memory that is reserved for a text until `end` is called.
    final class Share: Sendable {
        private let state: Monitor<State>
        private let own: Monitor<(bytes: Int, isRead: Bool)>

        fileprivate init(_ state: Monitor<State>, waiting bytes: Int) {
            self.state = state
            own = Monitor((bytes, false))
        }

        deinit { end() }

        /// Replaces the estimated size with the actual size of the parsed text.
        fileprivate func become(_ bytes: Int) {
            end()
            own.update { $0 = (bytes, true) }
            state.update { $0.read += bytes }
        }

        /// Releases the share. Idempotent. May be called from any thread.
        func end() {
            let (bytes, isRead) = own.update { own in
                defer { own.bytes = 0 }
                return own
            }
            state.update { state in
                if isRead { state.read -= bytes } else { state.waiting -= bytes }
            }
        }
    }
    fileprivate struct State {
        /// The size of the parsed texts in bytes.
        var read = 0
        /// The estimated size of the waiting texts in bytes.
        var waiting = 0
    }

    private let limit: Int
    private let state = Monitor(State())
    private let turn = Lock()

    /// The maximum size of a short text in bytes.
    static let short = 16 << 10

    /// - Parameter limit: the limit in bytes. A single long text is accepted even if it exceeds the limit.
    init(limit: Int) { self.limit = limit }

    /// The number of bytes in use.
    var taken: Int { state.read { $0.read + $0.waiting } }

    /// Blocks until this many bytes are in use. For tests.
    func waitForTaken(_ count: Int) { _ = state.wait { $0.read + $0.waiting == count ? true : nil } }

    /// Parses a text, after blocking until no other text is being parsed.
    ///
    /// - Parameters:
    ///   - count: the size of the text in bytes.
    ///   - factor: the estimated memory per byte of text, in bytes.
    ///   - weight: the memory needed for the parsed text, in bytes.
    /// - Throws: `overloaded` if the estimated or the actual size of the parsed text exceeds the limit, or an error from `read`.
    func read<Text: Sendable>(
        _ count: Int, factor: Int, weight: (Text) -> Int, _ read: () throws(SpeechError) -> Text
    ) throws(SpeechError) -> (Text, Share?) {
        if count <= Self.short { return (try read(), nil) }
        let expected = count * factor
        guard let share = begin(expected) else { throw .overloaded }
        return try turn.withLock { () throws(SpeechError) -> (Text, Share?) in
            guard fits(expected) else { throw .overloaded }
            let text = try read()
            let bytes = weight(text)
            guard fits(bytes) else { throw .overloaded }
            share.become(bytes)
            return (text, share)
        }
    }

    private func begin(_ expected: Int) -> Share? {
        let hasRoom = state.update { state in
            let taken = state.read + state.waiting
            guard taken == 0 || expected <= limit - taken else { return false }
            state.waiting += expected
            return true
        }
        return hasRoom ? Share(state, waiting: expected) : nil
    }

    /// Whether the limit allows this many bytes in addition to the parsed texts.
    private func fits(_ bytes: Int) -> Bool { state.read { $0.read == 0 || bytes <= limit - $0.read } }
}
