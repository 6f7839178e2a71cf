import Glibc
import SynthSystem

/// Writes complete messages to the server on a separate thread, so that a server that has stopped reading cannot delay
/// a stop request or the program's exit. Thread-safe.
final class ModuleOutput: Sendable {
    private struct Message {
        let bytes: [UInt8]
        /// Whether the message is audio or a mark. Such messages are dropped when speech is stopped.
        let isOfSpeech: Bool
    }
    private struct State {
        var messages: [Message] = []
        var bytesOfSpeech = 0
        var bytesOfReplies = 0
        /// The current turn, or nil if the module is not speaking.
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

    /// The maximum size of queued speech, in bytes. At this size, the speaking thread blocks.
    private static let maximumSpeechBytes = 2 * ModuleSound.maximumBytes
    /// The maximum size of queued replies, in bytes. At this size, the reading thread blocks.
    private static let maximumReplyBytes = 64 << 10
    /// The number of bytes that a writable pipe accepts without blocking.
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
            guard state.bytesOfReplies < Self.maximumReplyBytes else { return nil }
            Self.add(bytes, isOfSpeech: false, to: &state)
            return true
        }
    }

    // MARK: - Speech

    /// Confirms to the server that the module will speak the message, and begins a turn.
    ///
    /// - Returns: the turn, or nil if the module is already speaking.
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

    /// The current turn, or nil if the module is not speaking.
    var turn: Int? { state.read { $0.turn } }

    func isOpen(_ turn: Int) -> Bool { state.read { $0.turn == turn && !$0.isClosed } }

    /// Sends audio or a mark. Blocks while the queue is full.
    ///
    /// - Returns: false if the turn is over.
    func send(_ bytes: [UInt8], in turn: Int) -> Bool {
        state.wait { state -> Bool? in
            guard state.turn == turn, !state.isClosed else { return false }
            guard state.bytesOfSpeech < Self.maximumSpeechBytes else { return nil }
            Self.begin(&state)
            Self.add(bytes, isOfSpeech: true, to: &state)
            return true
        } ?? false
    }

    /// Ends the turn with an event, which is sent after the turn's queued messages. Does nothing if the turn is already over.
    func end(_ turn: Int, _ event: ModuleEvent) {
        state.update { state in
            guard state.turn == turn else { return }
            Self.begin(&state)
            Self.add(event.bytes, isOfSpeech: false, to: &state)
            state.turn = nil
        }
    }

    /// Ends the turn immediately and drops its queued audio and marks.
    ///
    /// - Returns: false if no turn was in progress.
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

    /// Sends the begin event unless it has already been sent. The server accepts an end event only after a begin event.
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

    /// Writes queued messages until the output is closed or the server closes the pipe. Blocks.
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

    /// The maximum duration of `drain`, which is long in case the machine is busy.
    private static let longestDrain = Duration.seconds(60)

    /// Blocks until everything has been written, or until the server has read nothing for `limit`.
    func drain(untilFullFor limit: Duration) {
        var isFull = false
        let end = ContinuousClock.now + Self.longestDrain
        while ContinuousClock.now < end {
            // If the pipe has space, the server is reading, and only the writer thread is slow.
            let isDone = state.wait(timeout: limit) { state in
                state.isClosed || (state.messages.isEmpty && !state.isWriting) ? true : nil
            }
            if isDone == true { return }
            let wasFull = isFull
            isFull = (try? Poll.wait([(descriptor.raw, events: POLLOUT)], timeout: .zero))?.first == 0
            if isFull, wasFull { return }
        }
    }

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

/// A log of the conversation with the server, in a file chosen by the server. After a write error, logging stops but
/// speech continues. Thread-safe.
final class ModuleLog: Sendable {
    private let file = Monitor<Descriptor?>(nil)

    /// The maximum length of a logged message in bytes. Longer messages are truncated.
    private static let longest = 400

    /// - Parameter path: the file, or nil to stop logging.
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
