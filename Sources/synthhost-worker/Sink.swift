import CSynthEngine
import Glibc
import Synchronization
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// The sink for one request. Validates each call against the rules in the C header so that later code can rely on them.
/// Used only on the thread that called `synthesize`.
final class Sink {
    private let serial: UInt64
    private let text: [UInt8]
    private let wants: EventKinds
    private let sender: FrameSender
    private var channels = 0
    private var isStopped = false
    private var latest: [EventKinds: UInt64] = [:]

    /// The number of frames sent.
    private(set) var frameCount: UInt64 = 0
    /// A sentence that describes how the engine violated its contract.
    private(set) var violation: String?

    init(request: LaneRequest, sender: FrameSender) {
        serial = request.serial
        wants = request.wants
        self.sender = sender
        text = Array(request.text.content.utf8)
    }

    var isCancelled: Bool { sender.isCancelled(serial) }

    /// Whether the engine was told to stop, by the sink or by `cancel`.
    var saidStop: Bool { isStopped || isCancelled }

    /// The C interface for the engine, valid while this object exists.
    var table: synth_sink {
        var table = synth_sink()
        table.struct_size = UInt32(MemoryLayout<synth_sink>.size)
        table.context = Unmanaged.passUnretained(self).toOpaque()
        table.begin = { Sink.from($0)?.begin(sampleRate: $1, channels: $2) ?? false }
        table.audio = { Sink.from($0)?.audio($1, $2) ?? false }
        table.event = { Sink.from($0)?.event($1) ?? false }
        return table
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Sink? {
        context.map { Unmanaged<Sink>.fromOpaque($0).takeUnretainedValue() }
    }

    private func begin(sampleRate: UInt32, channels: UInt32) -> Bool {
        if isStopped { return false }
        guard self.channels == 0 else { return fail("It called begin twice.") }
        guard playableSampleRates.contains(sampleRate), playableChannels.contains(channels) else {
            return fail("It announced audio in an unplayable format: \(sampleRate) Hz with \(channels) channels.")
        }
        self.channels = Int(channels)
        return send(LaneReply.begin(serial: serial, sampleRate: sampleRate, channels: channels).frameBytes)
    }

    private func audio(_ frames: UnsafePointer<Float>?, _ count: Int) -> Bool {
        if isStopped { return false }
        if count == 0 { return !isCancelled }
        guard channels > 0 else { return fail("It sent audio before begin.") }
        guard let frames, count > 0, count <= Int.max / 16 else { return fail("It sent audio without samples.") }
        let samples = UnsafeBufferPointer(start: frames, count: count * channels)
        for start in stride(from: 0, to: samples.count, by: samplesPerFrame) {
            let part = UnsafeBufferPointer(rebasing: samples[start..<min(start + samplesPerFrame, samples.count)])
            // A finite sample multiplied by zero is zero. Infinity and NaN multiplied by zero are NaN.
            guard part.reduce(0 as Float, { $0 + $1 * 0 }) == 0 else {
                return fail("It returned a sample that is not a finite number.")
            }
            var frame = FrameWriter(reserving: part.count * 4 + 16)
            LaneReply.writeAudio(serial: serial, part, to: &frame)
            guard send(frame.bytes) else { return false }
            frameCount += UInt64(part.count / channels)
        }
        return true
    }

    private func event(_ pointer: UnsafePointer<synth_event>?) -> Bool {
        if isStopped { return false }
        guard channels > 0 else { return fail("It reported an event before begin.") }
        guard let pointer else { return fail("It reported a NULL event.") }
        let event = synth_event_known(pointer)
        let kind = EventKinds(rawValue: event.kind)
        guard wants.contains(kind), [EventKinds.sentence, .word, .phoneme].contains(kind) else { return !isCancelled }
        guard event.text_offset >= 0, event.text_length >= 0, event.text_offset <= text.count,
            event.text_length <= text.count - event.text_offset
        else { return fail("It reported an event outside the text.") }
        let range = event.text_offset..<event.text_offset + event.text_length
        guard text.isBorder(range.lowerBound), text.isBorder(range.upperBound) else {
            return fail("It reported an event that starts or ends inside a character of the text.")
        }
        guard event.frame >= latest[kind] ?? 0, event.frame >= frameCount else {
            return fail("It reported an event after sending the event's audio.")
        }
        latest[kind] = event.frame
        return send(
            LaneReply.event(
                serial: serial,
                SpeechEvent(
                    kind: kind, frame: event.frame, frameCount: event.frame_count, text: range,
                    label: known(event.label))
            ).frameBytes)
    }

    private func fail(_ violation: String) -> Bool {
        self.violation = violation
        isStopped = true
        return false
    }

    private func send(_ frame: [UInt8]) -> Bool {
        isStopped = !sender.send(frame, serial: serial)
        return !isStopped
    }
}

extension Lane {
    func speak(_ request: LaneRequest, by table: LoadedTable<synth_engine>) -> LaneReply {
        wakeUp.clear()
        let sink = Sink(
            request: request,
            sender: FrameSender(socket: socket, wakeUp: wakeUp, cancelled: { [self] in cancelledSerial }))
        guard !sink.isCancelled else { return .end(serial: request.serial, frameCount: 0, .cancelled) }
        let arena = CallArena()
        let error = ErrorBuffer()
        let status = withExtendedLifetime(sink) {
            var handed = sink.table
            return table.work(pointer, arena.request(request), &handed, error.pointer)
        }
        return .end(
            serial: request.serial, frameCount: sink.frameCount,
            error.outcome(of: status, violation: sink.violation, saidStop: sink.saidStop))
    }
}

/// Sends a lane's frames. Blocks while the receiver is slow, unless the request is cancelled.
final class FrameSender {
    private let socket: FrameSocket
    private let wakeUp: WakeUp
    private let cancelled: () -> UInt64

    init(socket: FrameSocket, wakeUp: WakeUp, cancelled: @escaping () -> UInt64) {
        self.socket = socket
        self.wakeUp = wakeUp
        self.cancelled = cancelled
    }

    func isCancelled(_ serial: UInt64) -> Bool { cancelled() >= serial }

    private func waitForRoom() -> Bool {
        let ready = try? Poll.wait([
            (socket.descriptor.raw, events: POLLOUT), (wakeUp.descriptor.raw, events: POLLIN),
        ])
        guard let ready else {
            socket.shutDown()
            return false
        }
        // A late cancellation of an earlier request may also wake this request. Clearing the wakeup loses no
        // cancellation, because the cancelled serial number is stored before the wakeup.
        if ready[1] != 0 { wakeUp.clear() }
        return true
    }

    /// Sends a frame. Returns false if the receiver has disconnected or the request was cancelled, in which case no
    /// part of the frame has been sent.
    func send(_ frame: [UInt8], serial: UInt64) -> Bool {
        while !isCancelled(serial) {
            do {
                try socket.send(frame, wait: false)
                return true
            } catch {
                guard error.code == EAGAIN, waitForRoom() else { return false }
            }
        }
        return false
    }
}
