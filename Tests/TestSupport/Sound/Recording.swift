package import CSynthEngine

/// Records the sink calls that an engine makes during one request and checks that they follow the rules in the header.
package final class Recording {
    /// An event that the engine reported.
    package struct Event: Equatable {
        package let kind: UInt32
        package let frame: UInt64
        package let frameCount: UInt64
        package let bytes: Range<Int>
        package let label: String?
    }

    package private(set) var sampleRate = 0
    package private(set) var channels = 0
    package private(set) var samples: [Float] = []
    package private(set) var events: [Event] = []
    package private(set) var outcome = ErrorReport.Failure(status: SYNTH_FAILED, message: "", role: nil)
    /// Rules in the header that the engine has violated.
    package private(set) var violations: [String] = []
    /// The number of sink calls so far.
    package private(set) var calls = 0

    private let text: [UInt8]
    private let shouldContinue: (Recording) -> Bool
    private var isStopped = false

    package init(text: String, shouldContinue: @escaping (Recording) -> Bool) {
        self.text = Array(text.utf8)
        self.shouldContinue = shouldContinue
    }

    package var status: synth_status { outcome.status }
    package var frameCount: Int { channels == 0 ? 0 : samples.count / channels }
    package var seconds: Double { sampleRate == 0 ? 0 : Double(frameCount) / Double(sampleRate) }

    /// The text of the word events, in order.
    package var words: [String] { texts(of: SYNTH_WORD) }

    package func texts(of kind: synth_event_kind) -> [String] {
        events.filter { $0.kind == kind.rawValue }.map { String(decoding: text[$0.bytes], as: UTF8.self) }
    }

    /// A sink that records to this object, valid for the lifetime of this object.
    package func sink() -> synth_sink {
        var sink = synth_sink()
        sink.struct_size = UInt32(MemoryLayout<synth_sink>.size)
        sink.context = Unmanaged.passUnretained(self).toOpaque()
        sink.begin = { Recording.of($0)?.begin($1, $2) ?? false }
        sink.audio = { Recording.of($0)?.audio($1, $2) ?? false }
        sink.event = { Recording.of($0)?.event($1) ?? false }
        return sink
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Recording? {
        context.map { Unmanaged<Recording>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begin(_ rate: UInt32, _ channels: UInt32) -> Bool {
        check(sampleRate == 0, "begin twice")
        check(rate >= 8000 && rate <= 192_000 && (1...2).contains(channels), "an impossible format")
        sampleRate = Int(rate)
        self.channels = Int(channels)
        return answer()
    }

    private func audio(_ frames: UnsafePointer<Float>?, _ count: Int) -> Bool {
        check(sampleRate != 0, "audio before begin")
        check(count == 0 || frames != nil, "frames that are NULL")
        let new = UnsafeBufferPointer(start: frames, count: frames == nil ? 0 : count * channels)
        check(isSound(new), "a sample that is not finite or far out of range")
        samples.append(contentsOf: new)
        return answer()
    }

    private func event(_ pointer: UnsafePointer<synth_event>?) -> Bool {
        check(sampleRate != 0, "an event before begin")
        guard let event = pointer?.pointee else {
            check(false, "an event that is NULL")
            return false
        }
        check(event.frame >= UInt64(frameCount), "an event after its audio")
        if let last = events.last(where: { $0.kind == event.kind }) {
            check(event.frame >= last.frame, "an event before the previous event")
        }
        let end = event.text_offset + event.text_length
        guard end <= text.count, isBorder(event.text_offset), isBorder(end) else {
            check(false, "an event outside the text, or within a character")
            return false
        }
        events.append(
            Event(
                kind: event.kind, frame: event.frame, frameCount: event.frame_count, bytes: event.text_offset..<end,
                label: event.label.map { String(cString: $0) }))
        return answer()
    }

    package func finish(_ outcome: ErrorReport.Failure) {
        self.outcome = outcome
        check(!isStopped || outcome.status == SYNTH_CANCELLED, "a status other than CANCELLED after a stop")
        if outcome.status == SYNTH_OK {
            check(events.allSatisfy { $0.frame <= UInt64(frameCount) }, "an event after the last frame")
        }
    }

    private func answer() -> Bool {
        check(!isStopped, "a call after the sink requested a stop")
        calls += 1
        isStopped = isStopped || !shouldContinue(self)
        return !isStopped
    }

    /// Whether all samples are finite and at most slightly outside the range from -1 to 1. This is a plain loop, because tests
    /// are built without optimization and record hours of audio.
    private func isSound(_ samples: UnsafeBufferPointer<Float>) -> Bool {
        guard let base = samples.baseAddress else { return true }
        var index = 0
        while index < samples.count {
            let level = base[index].magnitude
            // This condition is also true for NaN.
            if !(level <= 1.5) { return false }
            index += 1
        }
        return true
    }

    private func isBorder(_ offset: Int) -> Bool { offset == text.count || text[offset] & 0xC0 != 0x80 }

    private func check(_ condition: Bool, _ rule: String) {
        if !condition { violations.append(rule) }
    }
}
