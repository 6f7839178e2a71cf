import SynthHost
import SynthSystem

/// What long texts may take in memory that wait to be read, or were read and are not spoken to their end; and the turn in which
/// they are read, one after the other. Short texts always find room: their number is that of the clients. Any thread may use
/// it.
final class TextBudget: Sendable {
    /// What one text takes, until it is let go.
    final class Share: Sendable {
        private let state: Monitor<State>
        private let own: Monitor<(bytes: Int, isRead: Bool)>

        fileprivate init(_ state: Monitor<State>, waiting bytes: Int) {
            self.state = state
            own = Monitor((bytes, false))
        }

        deinit { end() }

        /// The text was read, and takes so many bytes.
        fileprivate func become(_ bytes: Int) {
            end()
            own.update { $0 = (bytes, true) }
            state.update { $0.read += bytes }
        }

        /// From any thread, more than once: nothing of the text is kept any more.
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
        /// Bytes of the texts that were read.
        var read = 0
        /// Those of the others, as they are expected.
        var waiting = 0
    }

    private let limit: Int
    private let state = Monitor(State())
    private let turn = Lock()

    /// Bytes of a text that always finds room.
    static let short = 16 << 10

    /// - Parameter limit: in bytes. A text that takes more by itself is read if no other long one is.
    init(limit: Int) { self.limit = limit }

    /// Bytes that are taken now.
    var taken: Int { state.read { $0.read + $0.waiting } }

    /// Blocks until so many bytes are taken. For tests.
    func waitForTaken(_ count: Int) { _ = state.wait { $0.read + $0.waiting == count ? true : nil } }

    /// Reads a text when it is its turn. Blocks.
    ///
    /// - Parameters:
    ///   - count: of the text's bytes.
    ///   - factor: bytes in memory that are expected for each.
    ///   - weight: bytes in memory that what was read takes.
    /// - Throws: `overloaded` if there is no room, which is known before anything is read; or what `read` throws.
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

    /// Beside what was read before.
    private func fits(_ bytes: Int) -> Bool { state.read { $0.read == 0 || bytes <= limit - $0.read } }
}
