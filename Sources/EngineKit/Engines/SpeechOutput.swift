import CSynthEngine

/// The output of a request. It cannot outlive `speak`; all calls must come from the thread that `speak` runs on.
///
/// Every call throws `Stopped` once the request is to stop. `write` and the events block while the listener is too
/// slow.
public struct SpeechOutput: ~Copyable {
    private let state: OutputState

    init(_ state: OutputState) { self.state = state }

    /// Frames written so far, which is the position of the next frame.
    public var frame: UInt64 { state.frame }

    /// Whether the request is to stop. Cheap, for long loops that write nothing: they may simply return.
    public var isCancelled: Bool { state.isStopped || state.isCancelled }

    /// Asks the host whether to stop. Call it between two long steps.
    public func check() throws { try state.audio(nil, count: 0) }

    /// Runs `body`, a long computation that cannot check for a stop. If the request is cancelled, `stop` is called from
    /// another thread, or at once if it was cancelled before. `stop` must return at once, do no harm if `body` has just
    /// ended, and not call this output. An error that `body` then throws is not reported.
    public func interrupting<Result>(
        _ stop: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        try state.interrupting(stop, body)
    }

    /// Once, before anything else. `channels` is 1 or 2.
    public func begin(sampleRate: Int, channels: Int = 1) throws {
        try state.begin(sampleRate: sampleRate, channels: channels)
    }

    /// Samples nominally in -1 … 1, never NaN, interleaved if there are two channels. Copied.
    public func write(_ samples: Span<Float>) throws {
        try samples.withUnsafeBufferPointer { try state.write($0) }
    }

    /// Samples nominally in -1 … 1, never NaN, interleaved if there are two channels. Copied.
    public func write(_ samples: [Float]) throws {
        try samples.withUnsafeBufferPointer { try state.write($0) }
    }

    /// A word begins to sound at `frame` (default: with what is written next). `bytes` is its place in the UTF-8 of the
    /// request's text, empty = not known. Must come before the audio that holds the frame; frames never go back.
    /// `frameCount` 0 = until the next one.
    public func word(_ bytes: Range<Int>, at frame: UInt64? = nil, frameCount: UInt64 = 0) throws {
        try state.event(SYNTH_WORD, bytes: bytes, at: frame, count: frameCount, label: nil)
    }

    /// A sentence begins to sound; as `word`.
    public func sentence(_ bytes: Range<Int>, at frame: UInt64? = nil) throws {
        try state.event(SYNTH_SENTENCE, bytes: bytes, at: frame, count: 0, label: nil)
    }

    /// A phoneme, in IPA, begins to sound; as `word`. `frameCount` 0 = until the next one.
    public func phoneme(
        _ ipa: String, bytes: Range<Int> = 0..<0, at frame: UInt64? = nil, frameCount: UInt64 = 0
    ) throws {
        try state.event(SYNTH_PHONEME, bytes: bytes, at: frame, count: frameCount, label: ipa)
    }
}

/// The sink of one running request, and the frames written to it.
final class OutputState {
    private let sink: synth_sink
    private let cancellation: RequestCancellation
    private let serial: UInt64
    private let wants: EventKinds
    private var channels = 0
    private(set) var frame: UInt64 = 0
    /// Whether the sink said stop. It must not be called again after that.
    private(set) var isStopped = false

    init(_ sink: synth_sink, cancellation: RequestCancellation, serial: UInt64, wants: EventKinds) {
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
            throw EngineError(.failed, "The engine started its output twice or with an invalid format.")
        }
        self.channels = channels
        try call { sink.begin.map { $0(sink.context, rate, UInt32(channels)) } }
    }

    func write(_ samples: UnsafeBufferPointer<Float>) throws {
        guard channels > 0, samples.count % channels == 0 else {
            throw EngineError(.failed, "The engine wrote audio before it started its output, or a partial frame.")
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
        guard channels > 0 else { throw EngineError(.failed, "The engine sent an event before it started its output.") }
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
