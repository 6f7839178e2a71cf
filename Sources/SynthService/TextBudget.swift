import SynthHost
import SynthSystem

/// Limits the memory that long texts use from the start of parsing until they have been spoken, and serializes parsing.
/// Short texts are always accepted, because their number is already limited by the number of clients. Thread-safe.
final class TextBudget: Sendable {
    /// The memory that is reserved for a text until `end` is called.
    final class Share: Sendable {
        private let taken: Monitor<Int>
        private let own: Monitor<Int>

        fileprivate init(_ bytes: Int, of taken: Monitor<Int>) {
            self.taken = taken
            own = Monitor(bytes)
        }

        deinit { end() }

        /// Releases the share. Idempotent. May be called from any thread.
        func end() {
            let bytes = own.update { own in
                defer { own = 0 }
                return own
            }
            taken.update { $0 -= bytes }
        }
    }

    private let limit: Int
    private let state = Monitor(0)
    private let turn = Lock()

    /// The maximum size of a short text in bytes.
    static let short = 16 << 10

    /// - Parameter limit: the limit in bytes. A single long text is accepted even if it exceeds the limit.
    init(limit: Int) { self.limit = limit }

    /// The number of bytes in use.
    var taken: Int { state.read { $0 } }

    /// Blocks until exactly `count` bytes are in use. For tests.
    func waitForTaken(_ count: Int) { _ = state.wait { $0 == count ? true : nil } }

    /// Parses a text. Blocks while another long text is being parsed.
    ///
    /// - Parameters:
    ///   - count: the size of the text in bytes.
    ///   - factor: the estimated memory per byte of text, in bytes.
    /// - Throws: `overloaded` if the parsed text would not fit in the memory that other texts leave free, or an error
    ///   from `read`.
    func read<Text: Sendable>(
        _ count: Int, factor: Int, _ read: () throws(SpeechError) -> Text
    ) throws(SpeechError) -> (Text, Share?) {
        if count <= Self.short { return (try read(), nil) }
        let bytes = count * factor
        let hasRoom = state.update { taken in
            guard taken == 0 || bytes <= limit - taken else { return false }
            taken += bytes
            return true
        }
        guard hasRoom else { throw .overloaded }
        let share = Share(bytes, of: state)
        return (try turn.withLock { () throws(SpeechError) in try read() }, share)
    }
}
