package import SynthEngineWire
package import SynthSystem

/// A source of audio for a recognizer. Used only on the thread that transcribes.
package protocol RecognizerAudio: AnyObject {
    /// Returns the audio since the last call: finite samples of one channel, at the recognizer's rate. Does not block.
    ///
    /// - Parameter most: the maximum number of frames.
    func next(most: Int) -> RecognizerInput

    /// A descriptor that is readable when `next` would return audio, or nil if `next` always returns audio.
    var arrival: Descriptor? { get }

    /// Called when the recognizer has read `frame` frames, has reported its results for them, and is waiting for more.
    func waits(after frame: UInt64)
}

extension RecognizerAudio {
    package func waits(after frame: UInt64) {}
}

/// The result of `RecognizerAudio.next`.
package enum RecognizerInput: Equatable, Sendable {
    case frames([Float])
    case nothing
    case ended
}

/// A recognizer's result. Frame numbers are relative to the beginning of the audio.
package enum RecognizedPart: Equatable, Sendable {
    case speechBegins(frame: UInt64)
    case speechEnds(frame: UInt64)
    case text(RecognizedText)
    /// The fraction of the audio read so far that has been processed, from 0 to 1; nil if unknown.
    case progress(Float?)
}

/// An object that transcribes recordings one after another: a recognizer's lane or a test double.
package protocol RecognitionLane: AnyObject, Sendable {
    /// Whether the lane can still transcribe. If not, a new lane is needed.
    var isAlive: Bool { get }

    /// Cancels the current request, but not later requests. Can be called from any thread; does not block.
    func cancel()

    /// Transcribes audio and passes results to `part` on the calling thread as they arrive. If `part` returns false,
    /// the request is cancelled. Returns true if the audio was processed to its end, or if the recognizer did not need
    /// the rest of it.
    ///
    /// - Parameter isStopped: whether the request is already cancelled. Called as soon as `cancel` affects the request,
    ///   so that no cancellation is lost.
    func listen(
        _ request: RecognitionJob, to sound: some RecognizerAudio, unless isStopped: () -> Bool,
        _ part: (RecognizedPart) -> Bool
    ) throws(EngineFailure) -> Bool
}

extension RecognitionLane {
    package func listen(
        _ request: RecognitionJob, to sound: some RecognizerAudio, _ part: (RecognizedPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        try listen(request, to: sound, unless: { false }, part)
    }
}

/// A recognizer's lane in a worker.
package final class RecognizerLane: RecognitionLane {
    private let lane: WorkerLane

    init(_ opening: LaneOpening) throws(EngineFailure) { lane = try WorkerLane(opening, .listening) }

    package var isAlive: Bool { lane.isAlive }

    package func cancel() { lane.cancel() }

    package func listen(
        _ request: RecognitionJob, to sound: some RecognizerAudio, unless isStopped: () -> Bool,
        _ part: (RecognizedPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        let serial = lane.begin()
        if isStopped() { return false }
        var numbered = request
        numbered.serial = serial
        let frame = RecognitionInput.begin(numbered).frameBytes
        guard frame.count <= largestFrame, !request.holdsNUL else {
            throw lane.failure(
                .reported(EngineError(.badRequest, "The hints are too long or contain a NUL character.")))
        }

        var feed = Feed(numbered, after: frame)
        var watch = lane.newWatch()
        while true {
            let isCancelled = lane.isCancelled(serial)
            if isCancelled {
                // The worker has not received the request, so it will not reply.
                if !feed.hasBegun { return false }
            } else {
                feed.send(sound, on: lane)
            }
            let answer = try lane.next(
                serial, &watch, isFull: !isCancelled && feed.waitsForRoom,
                or: !isCancelled && feed.waitsForSound ? sound.arrival : nil,
                // No timeout applies while the recognizer waits for audio.
                isIdle: feed.needsSound)
            switch answer {
            case .other: continue
            case .cancelled: return false
            case .frame(let bytes):
                guard let reply = try? RecognitionReply(frameBytes: bytes[...]), reply.serial <= serial else {
                    throw lane.violation()
                }
                guard reply.serial == serial else { continue }
                watch.restart()
                if case .end(_, let outcome) = reply { return try end(outcome, serial) }
                guard feed.takes(reply) else { throw lane.violation() }
                if case .waits(_, let frame) = reply { sound.waits(after: frame) }
                if let piece = RecognizedPart(reply), lane.isWanted, !part(piece) { cancel() }
                watch.restart()
            }
        }
    }

    private func end(_ outcome: RequestOutcome, _ serial: UInt64) throws(EngineFailure) -> Bool {
        switch outcome {
        case .done: return !lane.isCancelled(serial)
        case .cancelled where lane.isCancelled(serial): return false
        // The recognizer stopped although the request was not cancelled. If this were ignored, the unprocessed audio
        // would look like silence.
        case .cancelled: throw lane.violation()
        // After a cancellation, errors are irrelevant.
        case .failed where lane.isCancelled(serial): return false
        case .failed(let error): throw lane.failure(.reported(error))
        }
    }
}

/// Tracks the audio that has been sent and the frame that is waiting to be sent.
private struct Feed {
    private let request: RecognitionJob
    private var sent: UInt64 = 0
    /// The number of frames that the recognizer had read when it last waited for more.
    private var read: UInt64?
    private var isEnded = false
    /// The number of texts received.
    private var texts: UInt64 = 0
    /// The total size of final texts in bytes.
    private var bytes: UInt64 = 0
    /// The next frame to send, which waits for space in the socket.
    private var waiting: [UInt8]?
    private(set) var waitsForSound = false
    private(set) var hasBegun = false

    /// - Parameter frame: the encoded request, which is sent first. Sending it may have to wait, because the socket may
    ///   still be full of audio from a previous request.
    init(_ request: RecognitionJob, after frame: [UInt8]) {
        self.request = request
        waiting = frame
    }

    var waitsForRoom: Bool { waiting != nil }

    /// Whether the recognizer has read all available audio.
    var needsSound: Bool { waitsForSound && read == sent }

    /// Sends a frame if there is space, and prepares the next frame. Only one frame is prepared in advance, so that replies never wait for
    /// long.
    mutating func send(_ sound: some RecognizerAudio, on lane: WorkerLane) {
        if let frame = waiting {
            guard lane.send(frame) else { return }
            waiting = nil
            hasBegun = true
        }
        waitsForSound = false
        guard !isEnded else { return }
        switch sound.next(most: samplesPerFrame) {
        case .frames(let samples):
            sent += UInt64(samples.count)
            waiting = RecognitionInput.sound(serial: request.serial, samples).frameBytes
        case .nothing: waitsForSound = true
        case .ended:
            isEnded = true
            waiting = RecognitionInput.soundEnds(serial: request.serial).frameBytes
        }
    }

    /// Checks that a reply is consistent with the audio and the request, because a recognizer can write to its socket
    /// directly.
    mutating func takes(_ reply: RecognitionReply) -> Bool {
        switch reply {
        case .reads(_, let frame): return frame <= sent
        case .waits(_, let frame):
            read = frame
            return frame <= sent
        case .speech(_, _, let frame): return request.wants.contains(.speechEvents) && frame <= sent
        case .text(_, let text):
            texts += 1
            if text.isFinal || text.leftOut != nil { bytes += UInt64(text.text.utf8.count) }
            // Speech, at 8000 or more frames per second, never reaches these limits. A recognizer that exceeds them produces endless
            // output.
            guard texts <= 10_000 + sent / 80, bytes <= 1 << 20 + sent else { return false }
            return (text.isFinal || request.wants.contains(text.leftOut == nil ? .partials : .leftOut))
                && (text.words.isEmpty || request.wants.contains(.words)) && text.frames.upperBound <= sent
                && text.words.allSatisfy { $0.frames.upperBound <= sent }
                && text.choice.map { request.hints.kind == .choice && request.hints.phrases.indices.contains($0) }
                    ?? true
        case .progress, .end: return true
        }
    }
}

extension RecognitionJob {
    /// Whether any text in the request contains a NUL, at which C code would truncate the text.
    fileprivate var holdsNUL: Bool {
        ([language, hints.context].compactMap(\.self) + hints.phrases).contains { $0.utf8.contains(0) }
    }
}

extension RecognizedPart {
    fileprivate init?(_ reply: RecognitionReply) {
        switch reply {
        case .reads, .waits, .end: return nil
        case .progress(_, let done): self = .progress(done)
        case .speech(_, let begins, let frame):
            self = begins ? .speechBegins(frame: frame) : .speechEnds(frame: frame)
        case .text(_, let text): self = .text(text)
        }
    }
}
