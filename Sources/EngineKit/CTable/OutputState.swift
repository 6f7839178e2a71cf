import CSynthEngine

/// The sink of one running request, and the frames written to it.
final class OutputState {
    private let sink: synth_sink
    private let cancellation: Cancellation
    private let serial: UInt64
    private let wants: EventKinds
    private var channels = 0
    private(set) var frame: UInt64 = 0
    /// Whether the sink said stop. It must not be called again after that.
    private(set) var isStopped = false

    init(_ sink: synth_sink, cancellation: Cancellation, serial: UInt64, wants: EventKinds) {
        self.sink = sink
        self.cancellation = cancellation
        self.serial = serial
        self.wants = wants
    }

    var isCancelled: Bool { cancellation.isCancelled(serial) }

    func interrupting<Result>(_ stop: @escaping @Sendable () -> Void, _ body: () throws -> Result) throws -> Result {
        cancellation.beginInterruption(serial, stop)
        defer { cancellation.endInterruption() }
        return try body()
    }

    func begin(sampleRate: Int, channels: Int) throws {
        guard self.channels == 0, (1...2).contains(channels), let rate = UInt32(exactly: sampleRate), rate > 0 else {
            throw EngineError(.failed, "The engine began its output twice or with an impossible format.")
        }
        self.channels = channels
        try call { sink.begin.map { $0(sink.context, rate, UInt32(channels)) } }
    }

    func write(_ samples: UnsafeBufferPointer<Float>) throws {
        guard channels > 0, samples.count % channels == 0 else {
            throw EngineError(.failed, "The engine wrote before it began, or half a frame.")
        }
        let count = samples.count / channels
        try audio(samples.baseAddress, count: count)
        frame += UInt64(count)
    }

    func audio(_ frames: UnsafePointer<Float>?, count: Int) throws {
        try call { sink.audio.map { $0(sink.context, count == 0 ? nil : frames, count) } }
    }

    func event(
        _ kind: synth_event_kind, bytes: Range<Int>, at frame: UInt64?, count: UInt64, label: String?
    ) throws {
        guard channels > 0 else { throw EngineError(.failed, "The engine sent an event before it began.") }
        guard wants.rawValue & kind.rawValue != 0 else { return }
        var event = synth_event()
        event.struct_size = UInt32(MemoryLayout<synth_event>.size)
        event.kind = kind.rawValue
        event.frame = frame ?? self.frame
        event.frame_count = count
        event.text_offset = bytes.lowerBound
        event.text_length = bytes.count
        try call {
            guard let label else { return sink.event.map { $0(sink.context, &event) } }
            return label.withCString { text in
                event.label = text
                return sink.event.map { $0(sink.context, &event) }
            }
        }
    }

    /// Calls the sink and throws if the request is to stop. A missing callback counts as "go on".
    private func call(_ callback: () -> Bool?) throws {
        guard !isStopped else { throw Stopped() }
        guard !isCancelled, callback() != false else {
            isStopped = true
            throw Stopped()
        }
    }
}
