import CSynthEngine
import Glibc
import SynthEngineWire
import SynthSystem

/// The audio of a request, as read by a recognizer. Used only on the thread that called `recognize`.
final class IncomingSound {
    private let serial: UInt64
    private let lane: Lane
    private let sender: FrameSender
    private var samples: [Float] = []
    private var position = 0
    private var hasEnded = false
    private var latestReport: ContinuousClock.Instant?

    /// The number of frames that the recognizer has read.
    private(set) var frameCount: UInt64 = 0
    /// Whether the host has closed the lane.
    private(set) var isAbandoned = false
    /// Whether the recognizer passed an empty buffer to `read`.
    private(set) var hasEmptyBuffer = false

    /// The maximum number of buffered samples. Additional audio stays in the socket, and the host blocks.
    private static let most = 30 * Int(RecognizerDescription.sampleRates.upperBound)

    /// The minimum interval between reports of the read position.
    private static let step = Duration.milliseconds(500)

    init(serial: UInt64, lane: Lane, sender: FrameSender) {
        self.serial = serial
        self.lane = lane
        self.sender = sender
    }

    /// The C interface for the recognizer, valid while this object exists.
    var table: synth_sound {
        var table = synth_sound()
        table.struct_size = UInt32(MemoryLayout<synth_sound>.size)
        table.context = Unmanaged.passUnretained(self).toOpaque()
        table.read = { IncomingSound.from($0)?.read($1, $2) ?? 0 }
        table.ready = { IncomingSound.from($0)?.ready() ?? 0 }
        table.complete = { IncomingSound.from($0)?.isComplete() ?? true }
        return table
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> IncomingSound? {
        context.map { Unmanaged<IncomingSound>.fromOpaque($0).takeUnretainedValue() }
    }

    private var left: Int { samples.count - position }
    private var isStopped: Bool { isAbandoned || hasEmptyBuffer || sender.isCancelled(serial) }

    private func read(_ frames: UnsafeMutablePointer<Float>?, _ capacity: Int) -> Int {
        guard let frames, capacity > 0 else {
            hasEmptyBuffer = true
            return 0
        }
        take()
        if left == 0, !hasEnded, !isStopped {
            // Notify the host that the recognizer is waiting for audio.
            _ = sender.send(RecognitionReply.waits(serial: serial, frame: frameCount).frameBytes, serial: serial)
            while left == 0, !hasEnded, !isStopped {
                waitForSound()
                take()
            }
        }
        guard !isStopped else { return 0 }
        let count = min(capacity, left)
        for index in 0..<count { frames[index] = Self.within(samples[position + index]) }
        position += count
        frameCount += UInt64(count)
        report()
        return count
    }

    private func report() {
        let now = ContinuousClock.now
        if let latestReport, now < latestReport + Self.step { return }
        latestReport = now
        _ = sender.send(RecognitionReply.reads(serial: serial, frame: frameCount).frameBytes, serial: serial)
    }

    /// Clamps a sample to the range that the C header guarantees.
    private static func within(_ sample: Float) -> Float {
        sample.isNaN ? 0 : max(-1, min(1, sample))
    }

    private func ready() -> Int {
        take()
        return isStopped ? 0 : left
    }

    private func isComplete() -> Bool {
        take()
        return hasEnded || isStopped
    }

    /// Reads available data without blocking.
    private func take() {
        // Remove consumed samples only when they outnumber the remaining samples, so that each sample is moved at most
        // once.
        if position > 0, position >= left {
            samples.removeFirst(position)
            position = 0
        }
        while !hasEnded, !isAbandoned, left < Self.most {
            do {
                guard let (bytes, _) = try lane.socket.receive(wait: false) else {
                    isAbandoned = true
                    return
                }
                switch try RecognitionInput(frameBytes: bytes[...]) {
                case .sound(serial, let more): samples += more
                case .soundEnds(serial): hasEnded = true
                // Skip audio left over from an earlier request that ended early.
                case .sound, .soundEnds: continue
                case .begin: WorkerEnding.leaveDamaged()
                }
            } catch let error as Errno where error.code == EAGAIN {
                return
            } catch let error as Errno where error.code == ECONNRESET {
                isAbandoned = true
            } catch {
                WorkerEnding.leaveDamaged()
            }
        }
    }

    private func waitForSound() {
        let ready = try? Poll.wait([
            (lane.socket.descriptor.raw, events: POLLIN), (lane.wakeUp.descriptor.raw, events: POLLIN),
        ])
        // A late cancellation of an earlier request may also wake this request. Clearing the wakeup loses no
        // cancellation, because the cancelled serial number is stored before the wakeup.
        if let ready, ready[1] != 0 { lane.wakeUp.clear() }
    }
}
