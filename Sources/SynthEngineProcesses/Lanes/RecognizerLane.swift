package import SynthEngineWire
package import SynthSystem

/// A recognizer of speech, with its worker processes. Any thread may use it.
package final class Recognizer: Sendable {
    package var file: String { workers.file }
    package let description: RecognizerDescription
    private let workers: WorkerPool
    private let limits: EngineLimits

    /// - Parameter allowed: the needs that its user allows it.
    package init(
        file: String, description: RecognizerDescription, program: WorkerProgram, limits: EngineLimits = EngineLimits(),
        allowing allowed: [EngineNeed.Kind] = [], onLog: @escaping EngineLog = { _, _ in }
    ) {
        self.description = description
        self.limits = limits
        workers = WorkerPool(
            of: description.id, file: file, as: .recognizer,
            asking: WorkerRequest(
                variables: description.variables, needs: description.needs, allowed: allowed, to: file),
            lanes: description.maxLanes, program: program, limits: limits, onLog: onLog)
    }

    /// Opens a lane on a model, and loads the model if needed. Blocks meanwhile.
    package func openLane(on load: LoadRequest) throws(EngineFailure) -> RecognizerLane {
        try workers.openLane(on: load, whileReplaceable: { false }) { opening throws(EngineFailure) in
            try RecognizerLane(opening, limits: limits)
        }
    }

    /// Ends the workers at once. Running and later calls of `openLane` and `listen` throw. Never blocks.
    package func abandon() { workers.abandon() }

    /// Reads /proc.
    package var figures: EngineFigures { workers.figures }
}

/// Sound for a recognizer, as it comes. Only used by the thread that listens.
package protocol HeardSound: AnyObject {
    /// What has come since the last call. Does not wait.
    ///
    /// - Parameter most: so many frames at most, one channel at the recognizer's rate, finite.
    func next(most: Int) -> HeardFrames

    /// Has input when `next` would give something; nil = `next` always does.
    var arrival: Descriptor? { get }

    /// The recognizer has read so many frames, has told what it makes of them by now, and waits for more.
    func waits(after frame: UInt64)
}

extension HeardSound {
    package func waits(after frame: UInt64) {}
}

package enum HeardFrames: Equatable, Sendable {
    case frames([Float])
    /// There is none now.
    case nothing
    case ended
}

/// What is understood of a sound, as it is understood. Frames are counted from the first of the sound.
package enum HeardPart: Equatable, Sendable {
    case speechBegins(frame: UInt64)
    case speechEnds(frame: UInt64)
    case text(HeardText)
    /// How much of what was read is understood, 0…1; nil = not known.
    case progress(Float?)
}

/// Listens to sounds one after the other: a recognizer's lane, or a test double.
package protocol HearingLane: AnyObject, Sendable {
    /// False when it can no longer listen; a new lane is needed.
    var isAlive: Bool { get }

    /// Cancels what runs, but nothing later. From any thread; returns at once.
    func cancel()

    /// Listens to a sound, and passes what is understood to `part` on this thread as it comes. If `part` returns false, the
    /// request is cancelled. Returns whether the sound was understood to its end, or the recognizer needed no more of it.
    ///
    /// - Parameter isStopped: called as soon as the request can be cancelled, so that an earlier cancel is not lost.
    func listen(
        _ request: HearingRequest, to sound: some HeardSound, unless isStopped: () -> Bool, _ part: (HeardPart) -> Bool
    ) throws(EngineFailure) -> Bool
}

extension HearingLane {
    package func listen(
        _ request: HearingRequest, to sound: some HeardSound, _ part: (HeardPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        try listen(request, to: sound, unless: { false }, part)
    }
}

/// A lane of a recognizer, in its worker.
package final class RecognizerLane: HearingLane {
    private let lane: WorkerLane
    private let limits: EngineLimits

    init(_ opening: WorkerPool.Opening, limits: EngineLimits) throws(EngineFailure) {
        self.limits = limits
        lane = try WorkerLane(opening, limits: limits, .listening)
    }

    package var isAlive: Bool { lane.isAlive }

    package func cancel() { lane.cancel() }

    package func listen(
        _ request: HearingRequest, to sound: some HeardSound, unless isStopped: () -> Bool, _ part: (HeardPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        let serial = lane.begin()
        if isStopped() { return false }
        var numbered = request
        numbered.serial = serial
        let frame = HearingInput.begin(numbered).frameBytes
        guard frame.count <= largestFrame, !request.holdsNUL else {
            throw lane.failure(.reported(EngineError(.badRequest, "The hints are too long, or contain a NUL.")))
        }

        var feed = Feed(numbered, after: frame)
        var watch = LaneWatch(limits)
        while true {
            let isCancelled = lane.isCancelled(serial)
            if isCancelled {
                // The worker does not know of the request, and answers nothing.
                if !feed.hasBegun { return false }
            } else {
                feed.send(sound, on: lane)
            }
            let answer = try lane.next(
                serial, &watch, isFull: !isCancelled && feed.waitsForRoom,
                or: !isCancelled && feed.waitsForSound ? sound.arrival : nil,
                // Who waits for sound is not at work, however long that takes.
                isIdle: feed.isHungry)
            switch answer {
            case .other: continue
            case .cancelled: return false
            case .frame(let bytes):
                guard let reply = try? HearingReply(frameBytes: bytes[...]), reply.serial <= serial else {
                    throw lane.violation()
                }
                guard reply.serial == serial else { continue }
                watch.restart()
                if case .end(_, let outcome) = reply { return try end(outcome, serial) }
                guard feed.takes(reply) else { throw lane.violation() }
                if case .waits(_, let frame) = reply { sound.waits(after: frame) }
                if let piece = HeardPart(reply), lane.isWanted, !part(piece) { cancel() }
                watch.restart()
            }
        }
    }

    private func end(_ outcome: RequestOutcome, _ serial: UInt64) throws(EngineFailure) -> Bool {
        switch outcome {
        case .done: return !lane.isCancelled(serial)
        case .cancelled where lane.isCancelled(serial): return false
        // Else what is missing would look like silence.
        case .cancelled: throw lane.violation()
        // An error after a cancel is of no interest.
        case .failed where lane.isCancelled(serial): return false
        case .failed(let error): throw lane.failure(.reported(error))
        }
    }
}

/// What was sent of a sound, and what waits to be sent.
private struct Feed {
    private let request: HearingRequest
    private var sent: UInt64 = 0
    /// Read by the recognizer, which waits for more.
    private var read: UInt64?
    private var isEnded = false
    /// What was understood, and bytes of what stays of it.
    private var texts: UInt64 = 0
    private var bytes: UInt64 = 0
    /// The next frame, which waits for room.
    private var waiting: [UInt8]?
    private(set) var waitsForSound = false
    /// The request was sent.
    private(set) var hasBegun = false

    /// - Parameter frame: the request, which is sent first. The socket may still be full of the sound of one that is over.
    init(_ request: HearingRequest, after frame: [UInt8]) {
        self.request = request
        waiting = frame
    }

    var waitsForRoom: Bool { waiting != nil }

    /// The recognizer has read all that there is.
    var isHungry: Bool { waitsForSound && read == sent }

    /// Sends a frame if there is room, and has the next one ready: only one, so that what comes back is never waited for long.
    mutating func send(_ sound: some HeardSound, on lane: WorkerLane) {
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
            waiting = HearingInput.sound(serial: request.serial, samples).frameBytes
        case .nothing: waitsForSound = true
        case .ended:
            isEnded = true
            waiting = HearingInput.soundEnds(serial: request.serial).frameBytes
        }
    }

    /// Whether a reply fits what was sent and asked for: an engine can write to its socket itself.
    mutating func takes(_ reply: HearingReply) -> Bool {
        switch reply {
        case .reads(_, let frame): return frame <= sent
        case .waits(_, let frame):
            read = frame
            return frame <= sent
        case .speech(_, _, let frame): return request.wants.contains(.speechEvents) && frame <= sent
        case .text(_, let text):
            texts += 1
            if text.isFinal { bytes += UInt64(text.text.utf8.count) }
            // Nobody speaks so much in so many frames, of which there are 8000 in a second at least: it would never end.
            guard texts <= 10_000 + sent / 80, bytes <= 1 << 20 + sent else { return false }
            return (text.isFinal || request.wants.contains(.partials))
                && (text.words.isEmpty || request.wants.contains(.words)) && text.frames.upperBound <= sent
                && text.words.allSatisfy { $0.frames.upperBound <= sent }
                && text.choice.map { request.hints.kind == .choice && request.hints.phrases.indices.contains($0) }
                    ?? true
        case .progress, .end: return true
        }
    }
}

extension HearingRequest {
    /// C would see the rest of such a text no more.
    fileprivate var holdsNUL: Bool {
        ([language, hints.context].compactMap(\.self) + hints.phrases).contains { $0.utf8.contains(0) }
    }
}

extension HeardPart {
    fileprivate init?(_ reply: HearingReply) {
        switch reply {
        case .reads, .waits, .end: return nil
        case .progress(_, let done): self = .progress(done)
        case .speech(_, let begins, let frame):
            self = begins ? .speechBegins(frame: frame) : .speechEnds(frame: frame)
        case .text(_, let text): self = .text(text)
        }
    }
}
