import Glibc
import SynthSystem

/// Writes complete messages to the server on a separate thread, so that a server that does not read delays neither a stop nor the exit of
/// the program. Any thread may use it.
final class ModuleOutput: Sendable {
    private struct Message {
        let bytes: [UInt8]
        /// Audio or a mark, which is dropped after a stop.
        let isOfSpeech: Bool
    }
    private struct State {
        /// A short queue, next message first.
        var messages: [Message] = []
        var bytesOfSpeech = 0
        var bytesOfReplies = 0
        /// The current message; nil = none.
        var turn: Int?
        var lastTurn = 0
        var hasBegun = false
        var isWriting = false
        var isClosed = false
    }
    private let descriptor: Descriptor
    private let state = Monitor(State())
    private let closing: WakeUp
    private let log: ModuleLog

    /// A speech waits while more bytes than this are unwritten.
    private static let mostOfSpeech = 2 * ModuleSound.mostBytes
    /// No further request is read while more bytes than this are unwritten.
    private static let mostOfReplies = 64 << 10
    /// The number of bytes that a pipe with space accepts without blocking.
    private static let pieceOfPipe = 4096

    init(_ descriptor: Descriptor, _ log: ModuleLog) throws(Errno) {
        self.descriptor = descriptor
        self.log = log
        closing = try WakeUp()
    }

    // MARK: - Replies

    func reply(_ reply: ModuleReply) { send(reply.bytes) }

    func send(_ bytes: [UInt8]) {
        _ = state.wait { state -> Bool? in
            if state.isClosed { return true }
            guard state.bytesOfReplies < Self.mostOfReplies else { return nil }
            Self.add(bytes, isOfSpeech: false, to: &state)
            return true
        }
    }

    // MARK: - Speech

    /// Replies that the module will speak a message, and begins its turn.
    ///
    /// - Returns: nil if the module is speaking another message.
    func open() -> Int? {
        state.update { state in
            guard state.turn == nil, !state.isClosed else { return nil }
            Self.add(ModuleReply.speaking.bytes, isOfSpeech: false, to: &state)
            state.lastTurn += 1
            state.turn = state.lastTurn
            state.hasBegun = false
            return state.lastTurn
        }
    }

    /// The current message; nil = none.
    var turn: Int? { state.read { $0.turn } }

    /// Whether the turn is still open.
    func isOpen(_ turn: Int) -> Bool { state.read { $0.turn == turn && !$0.isClosed } }

    /// Sends audio or a mark. Blocks while much of it is unwritten.
    ///
    /// - Returns: false if the turn is over.
    func send(_ bytes: [UInt8], in turn: Int) -> Bool {
        state.wait { state -> Bool? in
            guard state.turn == turn, !state.isClosed else { return false }
            guard state.bytesOfSpeech < Self.mostOfSpeech else { return nil }
            Self.begin(&state)
            Self.add(bytes, isOfSpeech: true, to: &state)
            return true
        } ?? false
    }

    /// Ends the turn after everything that was sent; does nothing if the turn is over.
    func end(_ turn: Int, _ event: ModuleEvent) {
        state.update { state in
            guard state.turn == turn else { return }
            Self.begin(&state)
            Self.add(event.bytes, isOfSpeech: false, to: &state)
            state.turn = nil
        }
    }

    /// Ends the turn at once and drops its unwritten messages.
    ///
    /// - Returns: false if no turn was open.
    func cut() -> Bool {
        state.update { state in
            guard state.turn != nil else { return false }
            state.messages.removeAll { $0.isOfSpeech }
            state.bytesOfSpeech = 0
            Self.begin(&state)
            Self.add(ModuleEvent.stop.bytes, isOfSpeech: false, to: &state)
            state.turn = nil
            return true
        }
    }

    /// The server waits for the end of a speech only after its beginning.
    private static func begin(_ state: inout State) {
        if state.hasBegun { return }
        state.hasBegun = true
        add(ModuleEvent.begin.bytes, isOfSpeech: false, to: &state)
    }

    private static func add(_ bytes: [UInt8], isOfSpeech: Bool, to state: inout State) {
        state.messages.append(Message(bytes: bytes, isOfSpeech: isOfSpeech))
        if isOfSpeech { state.bytesOfSpeech += bytes.count } else { state.bytesOfReplies += bytes.count }
    }

    // MARK: - Writing

    /// Writes until it is closed or the reader has gone. Blocks.
    func run() {
        while let message = next() {
            log.said(message.bytes)
            do {
                try write(message.bytes)
            } catch {
                return close()
            }
            state.update { $0.isWriting = false }
        }
    }

    /// The limit even for a busy machine.
    private static let longestDrain = Duration.seconds(60)

    /// Waits until everything is written, or until the server has read nothing for this time.
    func drain(untilFullFor limit: Duration) {
        var isFull = false
        let end = ContinuousClock.now + Self.longestDrain
        while ContinuousClock.now < end {
            // If the pipe has space, only the writing thread is late.
            let isDone = state.wait(timeout: limit) { state in
                state.isClosed || (state.messages.isEmpty && !state.isWriting) ? true : nil
            }
            if isDone == true { return }
            let wasFull = isFull
            isFull = (try? Poll.wait([(descriptor.raw, events: POLLOUT)], timeout: .zero))?.first == 0
            if isFull, wasFull { return }
        }
    }

    /// Stops writing.
    func close() {
        state.update { $0.isClosed = true }
        closing.signal()
    }

    private func next() -> Message? {
        let next: Message?? = state.wait { state in
            if state.isClosed { return .some(nil) }
            if state.messages.isEmpty { return nil }
            let message = state.messages.removeFirst()
            if message.isOfSpeech {
                state.bytesOfSpeech -= message.bytes.count
            } else {
                state.bytesOfReplies -= message.bytes.count
            }
            state.isWriting = true
            return .some(message)
        }
        return next ?? nil
    }

    private func write(_ bytes: [UInt8]) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let ready = try Poll.wait([(descriptor.raw, events: POLLOUT), (closing.descriptor.raw, events: POLLIN)])
            if ready[1] != 0 { throw Errno(ECANCELED) }
            let piece = rest.prefix(Self.pieceOfPipe)
            try withoutBrokenPipeSignal { () throws(Errno) in try descriptor.writeAll(Array(piece)) }
            rest = rest.dropFirst(piece.count)
        }
    }
}

/// A log of the conversation in a file that the server names. A full disk ends only the log. Any thread may use it.
final class ModuleLog: Sendable {
    private let file = Monitor<Descriptor?>(nil)

    /// The longest logged part of a message; audio is truncated.
    private static let longest = 400

    /// - Parameter path: nil = stop logging.
    /// - Returns: false if the file cannot be written.
    func open(_ path: String?) -> Bool {
        guard let path else {
            file.update { $0 = nil }
            return true
        }
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_NOCTTY
        guard let opened = try? Descriptor.open(path, flags, mode: 0o600),
            RegularFile(descriptor: opened.raw) != nil
        else { return false }
        file.update { $0 = opened }
        return true
    }

    func heard(_ bytes: UnsafeRawBufferPointer) {
        guard file.read({ $0 != nil }) else { return }
        write("< ", Array(bytes.prefix(Self.longest)), of: bytes.count)
    }

    func said(_ bytes: [UInt8]) {
        guard file.read({ $0 != nil }) else { return }
        let end = bytes.firstIndex(of: 0) ?? bytes.count
        write("> ", Array(bytes[..<min(end, Self.longest)]), of: bytes.count)
    }

    private func write(_ head: String, _ bytes: [UInt8], of count: Int) {
        var line = Array(head.utf8) + bytes.map { $0 == 0x0A ? UInt8(ascii: "|") : $0 }
        if bytes.count < count { line += Array(" (\(count) bytes)".utf8) }
        line.append(0x0A)
        file.update { file in
            do {
                try file?.writeAll(line)
            } catch {
                file = nil
            }
        }
    }
}
