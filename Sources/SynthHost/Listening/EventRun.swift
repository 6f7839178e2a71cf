import SynthSpeech
import SynthSystem

/// A stream of events from a worker thread to a single reader. The work starts with the first read and ends when the reader stops.
final class EventRun<Event: Sendable>: Sendable {
    private struct State: CancellableState {
        var events = Fifo<Event>()
        /// The ID of the reader that owns the run.
        var reader: Int?
        var readers = 0
        var outcome: Result<Void, SpeechError>?
        var isCancelled = false
        var stop: (@Sendable () -> Void)?
    }
    private let state = Monitor(State())
    private let name: String
    private let work: @Sendable (EventRun<Event>) throws(SpeechError) -> Void
    private let onDrop: @Sendable (Event) -> Void
    private static var most: Int { 1024 }

    /// - Parameters:
    ///   - name: the thread name.
    ///   - onDrop: receives each event that is still unread when the reader stops.
    ///   - work: produces all events. It must return soon after a cancellation.
    init(
        _ name: String, onDrop: @escaping @Sendable (Event) -> Void = { _ in },
        _ work: @escaping @Sendable (EventRun<Event>) throws(SpeechError) -> Void
    ) {
        self.name = name
        self.onDrop = onDrop
        self.work = work
    }

    // MARK: - Producer thread

    /// The policy for an event when the maximum number of unread events is reached.
    enum OverflowPolicy {
        /// Block the producer until the reader catches up.
        case waits
        case isLeftOut
        /// Add the event anyway. Use this for rare events from a producer that must not wait.
        case isAdded
    }

    func tell(_ event: Event, ifMany crowding: OverflowPolicy = .waits) {
        let isCancelled = state.wait { state -> Bool? in
            if state.isCancelled { return true }
            if state.events.count >= Self.most, crowding != .isAdded { return crowding == .waits ? nil : false }
            state.events.append(event)
            return false
        }
        if isCancelled == true { onDrop(event) }
    }

    var isCancelled: Bool { state.read { $0.isCancelled } }

    /// Registers a callback that stops the work. It is called immediately if the run is already cancelled.
    func stopping(by stop: @escaping @Sendable () -> Void) { state.stopping(by: stop) }

    // MARK: - Reader

    /// Cancels the run. Can be called from any thread; does not block.
    func cancel() {
        let (stop, unread) = state.update { state -> ((@Sendable () -> Void)?, Fifo<Event>) in
            state.isCancelled = true
            defer { (state.stop, state.events) = (nil, Fifo()) }
            return (state.stop, state.events)
        }
        stop?()
        var rest = unread
        while let event = rest.popFirst() { onDrop(event) }
    }

    func newReader() -> Int {
        state.update { state in
            state.readers += 1
            return state.readers
        }
    }

    /// Removes a reader. Cancels the run if that reader owns it.
    func leave(_ reader: Int) { if state.read({ $0.reader == reader }) { cancel() } }

    /// Returns the next event, or nil after the last event.
    ///
    /// - Throws: `alreadyRead` if another reader owns the run, `cancelled`, or, after all events, the error that ended the work.
    func next(_ reader: Int, isolation: isolated (any Actor)?) async throws(SpeechError) -> Event? {
        let begins = state.update { state -> Bool? in
            let begins = state.reader == nil
            if begins { state.reader = reader }
            return state.reader == reader ? begins : nil
        }
        guard let begins else { throw .alreadyRead }
        if begins, !state.read({ $0.isCancelled }) { begin() }
        await state.suspend(isolation: isolation) { $0.isCancelled || !$0.events.isEmpty || $0.outcome != nil }
        if Task.isCancelled { cancel() }
        let next = state.update { state -> Result<Event?, SpeechError> in
            if state.isCancelled { return .failure(.cancelled) }
            if let event = state.events.popFirst() { return .success(event) }
            return (state.outcome ?? .success(())).map { nil }
        }
        return try next.get()
    }

    private func begin() {
        let isStarted = startThread(name) { [self] in
            let outcome = Result { () throws(SpeechError) in try work(self) }
            state.update { state in
                state.outcome = outcome
                state.stop = nil
            }
        }
        if !isStarted { state.update { $0.outcome = .failure(.noThread) } }
    }
}

/// Exclusive access to the events, which is released when the reading loop ends, for whatever reason.
final class EventLease<Event: Sendable>: Sendable {
    private let run: EventRun<Event>
    private let number: Int

    init(_ run: EventRun<Event>) {
        self.run = run
        number = run.newReader()
    }

    deinit { run.leave(number) }

    func next(isolation: isolated (any Actor)?) async throws(SpeechError) -> Event? {
        try await run.next(number, isolation: isolation)
    }
}

/// A FIFO queue with constant-time operations. It does not retain removed elements.
struct Fifo<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }
    var isEmpty: Bool { head == elements.count }
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head > 32, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll() {
        elements = []
        head = 0
    }
}

extension Fifo: Sendable where Element: Sendable {}
