import SynthSpeech
import SynthSystem

/// Events that a thread tells and a task reads, once. The work begins with the first read, and ends when nobody reads any more.
final class EventRun<Event: Sendable>: Sendable {
    private struct State {
        var events = Fifo<Event>()
        /// The number of the reader that has it.
        var reader: Int?
        var readers = 0
        var outcome: Result<Void, SpeechError>?
        var isCancelled = false
        /// Stops whatever the work blocks in.
        var stop: (@Sendable () -> Void)?
    }
    private let state = Monitor(State())
    private let name: String
    private let work: @Sendable (EventRun<Event>) throws(SpeechError) -> Void
    private let onDrop: @Sendable (Event) -> Void
    /// So many wait for their reader.
    private static var most: Int { 1024 }

    /// - Parameters:
    ///   - name: of the thread.
    ///   - onDrop: gets what was told and never read, because nobody reads any more.
    ///   - work: tells all events, and returns soon after a cancel.
    init(
        _ name: String, onDrop: @escaping @Sendable (Event) -> Void = { _ in },
        _ work: @escaping @Sendable (EventRun<Event>) throws(SpeechError) -> Void
    ) {
        self.name = name
        self.onDrop = onDrop
        self.work = work
    }

    // MARK: - The thread that tells

    /// What happens with an event while many wait for their reader.
    enum Crowding {
        /// Who tells it is held up.
        case waits
        case isLeftOut
        /// Those of which there are few, by who may not be held up.
        case isAdded
    }

    func tell(_ event: Event, ifMany crowding: Crowding = .waits) {
        let isCancelled = state.wait { state -> Bool? in
            if state.isCancelled { return true }
            if state.events.count >= Self.most, crowding != .isAdded { return crowding == .waits ? nil : false }
            state.events.append(event)
            return false
        }
        if isCancelled == true { onDrop(event) }
    }

    var isCancelled: Bool { state.read { $0.isCancelled } }

    /// Says what ends the work from now on; done at once if nobody wants it any more.
    func stopping(by stop: @escaping @Sendable () -> Void) {
        let isCancelled = state.update { state in
            state.stop = stop
            return state.isCancelled
        }
        if isCancelled { stop() }
    }

    // MARK: - Who reads

    /// From any thread; returns at once.
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

    /// A reader reads no more.
    func leave(_ reader: Int) { if state.read({ $0.reader == reader }) { cancel() } }

    /// The next event; nil after the last.
    ///
    /// - Throws: `alreadyRead` if another reader has it, `cancelled`, and why the work failed, after all that it told.
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
            let outcome: Result<Void, SpeechError>
            do throws(SpeechError) { outcome = .success(try work(self)) } catch { outcome = .failure(error) }
            state.update { state in
                state.outcome = outcome
                state.stop = nil
            }
        }
        if !isStarted { state.update { $0.outcome = .failure(.noThread) } }
    }
}

/// The right to read events, which ends with the loop that reads them, however it is left.
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

/// A line of elements: added at its end, taken from its front, both in constant time. What was taken is let go.
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
