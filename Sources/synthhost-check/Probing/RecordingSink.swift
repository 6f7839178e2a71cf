import CSynthEngine
import SynthEngineLoading

/// Records the sink calls that an engine makes during a request, without validating them. Used only by the thread that
/// calls `synthesize`.
final class RecordingSink: CallRecord {
    enum Call: String {
        case begin
        case audio
        case event
    }

    struct Begin: Equatable {
        var sampleRate: UInt32
        var channels: UInt32
    }

    struct Event: Equatable {
        var kind: UInt32
        var frame: UInt64
        var textOffset: Int
        var textLength: Int
        /// The number of frames that the engine had sent before this call to `begin`.
        var framesBefore: UInt64
    }

    private(set) var begins: [Begin] = []
    private(set) var events: [Event] = []
    private(set) var samples: [Float] = []
    private(set) var frameCount: UInt64 = 0
    private(set) var calls = 0
    /// The number of calls with audio or events before the first call to `begin`.
    private(set) var callsBeforeBegin = 0
    private(set) var callsAfterStop = 0
    private(set) var firstAudio: ContinuousClock.Instant?
    private(set) var isStopped = false

    private let keepsSamples: Bool
    private let answer: (RecordingSink, Call) -> Bool

    /// - Parameters:
    ///   - keepsSamples: whether to keep the samples. Pass false if the text is long and only its duration matters.
    ///   - answer: returns the sink's return value for a call. false stops the engine.
    init(keepsSamples: Bool = true, answer: @escaping (RecordingSink, Call) -> Bool = { _, _ in true }) {
        self.keepsSamples = keepsSamples
        self.answer = answer
    }

    /// The number of channels, clamped to 1 or 2.
    private var channels: Int { Int(min(2, max(1, begins.first?.channels ?? 1))) }

    /// The bit patterns of the samples, in which NaN equals NaN.
    var sound: [UInt32] { samples.map(\.bitPattern) }

    func soundsLike(_ other: RecordingSink) -> Bool { sound == other.sound }

    /// The duration of the audio, or 0 if the engine did not call `begin`.
    var seconds: Double {
        guard let rate = begins.first?.sampleRate, rate > 0 else { return 0 }
        return Double(frameCount) / Double(rate)
    }

    /// The C interface for the engine, valid while this object exists.
    var table: synth_sink {
        var table = synth_sink()
        table.struct_size = UInt32(MemoryLayout<synth_sink>.size)
        table.context = Unmanaged.passUnretained(self).toOpaque()
        table.begin = { RecordingSink.from($0)?.begin($1, $2) ?? false }
        table.audio = { RecordingSink.from($0)?.audio($1, $2) ?? false }
        table.event = { RecordingSink.from($0)?.event($1) ?? false }
        return table
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> RecordingSink? {
        context.map { Unmanaged<RecordingSink>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begin(_ sampleRate: UInt32, _ channels: UInt32) -> Bool {
        begins.append(Begin(sampleRate: sampleRate, channels: channels))
        return reply(.begin)
    }

    private func audio(_ frames: UnsafePointer<Float>?, _ count: Int) -> Bool {
        if let frames, count > 0 {
            if begins.isEmpty { callsBeforeBegin += 1 }
            if firstAudio == nil { firstAudio = .now }
            frameCount += UInt64(count)
            if keepsSamples { samples.append(contentsOf: UnsafeBufferPointer(start: frames, count: count * channels)) }
        }
        return reply(.audio)
    }

    private func event(_ pointer: UnsafePointer<synth_event>?) -> Bool {
        if begins.isEmpty { callsBeforeBegin += 1 }
        if let event = pointer.map({ synth_event_known($0) }) {
            events.append(
                Event(
                    kind: event.kind, frame: event.frame, textOffset: event.text_offset, textLength: event.text_length,
                    framesBefore: frameCount))
        }
        return reply(.event)
    }

    private func reply(_ call: Call) -> Bool {
        calls += 1
        if isStopped {
            callsAfterStop += 1
            return false
        }
        isStopped = !answer(self, call)
        return !isStopped
    }
}
