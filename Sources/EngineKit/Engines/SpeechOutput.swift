import CSynthEngine

/// The output of a request. It cannot outlive `speak`, and all calls must be made on the thread that runs `speak`.
///
/// All functions throw `Stopped` once the request has been cancelled. `write` and the event functions block if the
/// listener cannot keep up.
public struct SpeechOutput: ~Copyable {
    private let state: OutputState

    init(_ state: OutputState) { self.state = state }

    /// The number of frames written so far, which is the position of the next frame.
    public var frame: UInt64 { state.frame }

    /// Whether the request has been cancelled. Reading this is cheap, so a long loop that writes nothing can use it to
    /// return early.
    public var isCancelled: Bool { state.isOver }

    /// Throws if the request has been cancelled. Call this between lengthy steps.
    public func check() throws { try state.audio(nil, count: 0) }

    /// Runs `body`, a long computation that cannot check for cancellation. If the request is cancelled, `stop` is
    /// called from another thread, or immediately if the request was already cancelled. `stop` must return immediately,
    /// be harmless if `body` has just ended, and not use this output. If `body` then throws an error, it is not
    /// reported.
    public func interrupting<Result>(
        _ stop: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        try state.interrupting(stop, body)
    }

    /// Begins the output. Call this once, before any other function. `channels` is 1 or 2.
    public func begin(sampleRate: Int, channels: Int = 1) throws {
        try state.begin(sampleRate: sampleRate, channels: channels)
    }

    /// Writes samples: nominally from -1 to 1, never NaN, and interleaved if there are two channels. The samples are
    /// copied.
    public func write(_ samples: Span<Float>) throws {
        try samples.withUnsafeBufferPointer { try state.write($0) }
    }

    /// Writes samples: nominally from -1 to 1, never NaN, and interleaved if there are two channels. The samples are
    /// copied.
    public func write(_ samples: [Float]) throws {
        try samples.withUnsafeBufferPointer { try state.write($0) }
    }

    /// Reports the start of a word at `frame` (by default, the next frame to be written). `bytes` is the word's range
    /// in the UTF-8 of the request's text, or empty if unknown. Call this before you write the audio that contains the
    /// frame; frames must not decrease. If `frameCount` is 0, the word lasts until the next word.
    public func word(_ bytes: Range<Int>, at frame: UInt64? = nil, frameCount: UInt64 = 0) throws {
        try state.event(SYNTH_WORD, bytes: bytes, at: frame, count: frameCount, label: nil)
    }

    /// Reports the start of a sentence. The rules of `word` apply.
    public func sentence(_ bytes: Range<Int>, at frame: UInt64? = nil) throws {
        try state.event(SYNTH_SENTENCE, bytes: bytes, at: frame, count: 0, label: nil)
    }

    /// Reports the start of a phoneme in IPA. The rules of `word` apply. If `frameCount` is 0, the phoneme lasts until the next phoneme.
    public func phoneme(
        _ ipa: String, bytes: Range<Int> = 0..<0, at frame: UInt64? = nil, frameCount: UInt64 = 0
    ) throws {
        try state.event(SYNTH_PHONEME, bytes: bytes, at: frame, count: frameCount, label: ipa)
    }
}

/// The sink of the running request, and the number of frames written to it.
final class OutputState: RunningRequest {
    private let sink: synth_sink
    private let wants: EventKinds
    private var channels = 0
    private(set) var frame: UInt64 = 0

    init(_ sink: synth_sink, cancellation: RequestCancellation, serial: UInt64, wants: EventKinds) {
        self.sink = sink
        self.wants = wants
        super.init(serial: serial, cancellation: cancellation)
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
            throw EngineError(.failed, "The engine wrote a partial frame, or wrote audio before it started its output.")
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
}
