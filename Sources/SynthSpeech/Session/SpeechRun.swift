import Glibc
package import SynthAudio
package import SynthEngineWire
package import SynthSystem

/// One text on its way to its reader. Begins with the first read, on a thread of its own, and ends with the last.
package final class SpeechRun: Sendable {
    private struct State {
        var readers = 0
        /// The number of the reader that has it.
        var reader: Int?
        var isCancelled = false
        var notices: [SpeechNotice] = []
        var onNotice: (@Sendable (SpeechNotice) -> Void)?
        /// Stop whatever the threads block in: the one that makes the sound, and the one that plays it.
        var stop: (@Sendable () -> Void)?
        var stopPlaying: (@Sendable () -> Void)?
    }
    private let state = Monitor(State())
    private let sound: SoundQueue
    /// The device of the configuration.
    package let device: String?
    private let origin: TimingsOrigin
    /// Files that it does not replace.
    package let inUse: FilesInUse
    private let startingThreads: ThreadStart
    private let work: Work

    /// Fills the queue and closes it. Blocks, on a thread of its own, and says through `stopping(by:)` what ends it.
    package typealias Work = @Sendable (_ run: SpeechRun, _ sound: SoundQueue, _ listener: Listener) -> Void

    /// What is known of whoever gets the sound.
    package struct Listener {
        /// Somebody waits for the first sound.
        package var isAwaited: Bool
        /// It sounds as it comes, so that no more of it is wanted than the next sentence in time.
        package var isHeard: Bool
        /// What is to come with the sound beside what the speech was asked for.
        package var events: EventKinds = []

        package init(isAwaited: Bool, isHeard: Bool, events: EventKinds = []) {
            self.isAwaited = isAwaited
            self.isHeard = isHeard
            self.events = events
        }
    }

    /// - Parameter startingThreads: starts the thread of the work.
    package init(
        lookAhead: Duration, device: String? = nil, origin: TimingsOrigin, inUse: FilesInUse = FilesInUse(),
        startingThreads: @escaping ThreadStart = startThread,
        work: @escaping Work
    ) {
        self.startingThreads = startingThreads
        sound = SoundQueue(lookAhead: lookAhead)
        self.device = device
        self.origin = origin
        self.inUse = inUse
        self.work = work
    }

    package var format: SpeechFormat? {
        sound.format.map { SpeechFormat(sampleRate: $0.sampleRate, channels: $0.channels) }
    }

    package var isCancelled: Bool { state.read { $0.isCancelled } }

    /// Each once, in the order in which they came up.
    var notices: [SpeechNotice] { state.read { $0.notices } }

    @Sendable package func note(_ notice: SpeechNotice) {
        let (notice, tell) = state.update { state -> (SpeechNotice, (@Sendable (SpeechNotice) -> Void)?) in
            if state.notices.contains(notice) { return (notice, nil) }
            var told = notice
            if case .phonemesLeftOut(let engine, _?) = notice, state.notices.count >= Self.mostWords {
                told = .phonemesLeftOut(engine: engine, nil)
                if state.notices.contains(told) { return (told, nil) }
            }
            state.notices.append(told)
            return (told, state.onNotice)
        }
        tell?(notice)
    }

    /// Of words whose phonemes were left out so many are named.
    private static let mostWords = 20

    /// Says who is told of each notice as it comes up, on the thread that makes the sound. Before the first read.
    func noting(by body: @escaping @Sendable (SpeechNotice) -> Void) { state.update { $0.onNotice = body } }

    /// Says what ends the work from now on; done at once if it was cancelled before.
    package func stopping(by stop: @escaping @Sendable () -> Void) {
        let isCancelled = state.update { state in
            state.stop = stop
            return state.isCancelled
        }
        if isCancelled { stop() }
    }

    /// From any thread, as often as anybody wants.
    package func cancel() {
        state.update { $0.isCancelled = true }
        dropAll()
    }

    /// What is queued is dropped, and nothing more is made.
    private func dropAll() {
        let (stop, stopPlaying) = state.update { state in
            defer { (state.stop, state.stopPlaying) = (nil, nil) }
            return (state.stop, state.stopPlaying)
        }
        // Silence first.
        stopPlaying?()
        sound.abandon()
        stop?()
    }

    func newReader() -> Int {
        state.update { state in
            state.readers += 1
            return state.readers
        }
    }

    /// The reader is gone.
    package func end(_ lease: SpeechLease) {
        if state.read({ $0.reader == lease.number }) { cancel() }
    }

    /// The next piece; nil after the last.
    package func next(_ lease: SpeechLease, isolation: isolated (any Actor)?) async throws(SpeechError) -> SoundQueue
        .Piece?
    {
        guard claim(lease, Listener(isAwaited: true, isHeard: true)) else { throw .alreadyRead }
        if Task.isCancelled { cancel() }
        let piece: SoundQueue.Piece?
        do {
            piece = try await sound.next(isolation: isolation) { [self] in cancel() }
        } catch {
            throw isCancelled ? .cancelled : error
        }
        if isCancelled { throw .cancelled }
        return piece
    }

    /// The next piece, on this thread, which blocks until it is there; nil after the last, and once it was cancelled.
    package func take(_ lease: SpeechLease, for listener: Listener) throws(SpeechError) -> SoundQueue.Piece? {
        guard claim(lease, listener) else { throw .alreadyRead }
        return try sound.pop(patience: { .zero }, onDry: { _ in })
    }

    /// Hands all of it to a sink, on a thread of its own.
    @discardableResult
    package func play(
        into sink: any AudioSink, steeredBy control: PlaybackControl? = nil, timings: TimingsFile? = nil
    ) async throws(SpeechError) -> SpeechSummary {
        let lease = SpeechLease(self)
        // Nothing else holds it while it plays, and its end counts as a cancel.
        defer { withExtendedLifetime(lease) {} }
        let result = await withTaskCancellationHandler {
            await onThread("playback") { [self] () -> Result<SpeechSummary, SpeechError> in
                do throws(SpeechError) {
                    return .success(try deliver(lease, to: sink, steeredBy: control, timings: timings))
                } catch {
                    return .failure(error)
                }
            }
        } onCancel: {
            // The speech may be somebody else's, who read it first.
            if state.read({ $0.reader == nil || $0.reader == lease.number }) { cancel() }
        }
        switch result {
        case .success(let summary):
            if summary.wasCancelled { throw .cancelled }
            return summary
        case .failure(.alreadyRead): throw .alreadyRead
        case .failure(let failure): throw isCancelled ? .cancelled : failure
        }
    }

    /// Hands all of it to a sink, on this thread, which blocks until the sink has it or it was cancelled. Whatever happens
    /// the sink is finished, so that a file holds what was spoken so far.
    ///
    /// - Parameter timings: is written meanwhile, and gets its name when the speech ends.
    package func deliver(
        to sink: any AudioSink, timings: TimingsFile?, _ progress: (SpeechProgress) -> Void
    ) throws(SpeechError) -> SpeechSummary {
        let lease = SpeechLease(self)
        defer { withExtendedLifetime(lease) {} }
        return try deliver(lease, to: sink, steeredBy: nil, timings: timings, progress)
    }

    private func deliver(
        _ lease: SpeechLease, to sink: any AudioSink, steeredBy control: PlaybackControl?, timings: TimingsFile?,
        _ progress: (SpeechProgress) -> Void = { _ in }
    ) throws(SpeechError) -> SpeechSummary {
        var wasHeard = false
        defer { control?.end(wasHeard: wasHeard) }
        let listener = Listener(
            isAwaited: sink.isAwaited, isHeard: sink.isHeard, events: timings == nil ? [] : [.sentence, .word])
        let recorder = timings.map { TimingsRecorder($0, origin) }
        let stopRecording = recorder?.stop
        guard claim(lease, listener) else { throw .alreadyRead }
        let stopPlaying: @Sendable () -> Void = {
            sink.stop()
            stopRecording?()
            // One that is paused waits for nothing but the end of its control.
            control?.end(wasHeard: false)
        }
        let wasCancelled = state.update { state in
            state.stopPlaying = stopPlaying
            return state.isCancelled
        }
        defer { state.update { $0.stopPlaying = nil } }
        if wasCancelled {
            stopPlaying()
            return SpeechSummary(format: nil, frames: 0, wasCancelled: true)
        }
        do {
            try recorder?.begin()
        } catch {
            dropAll()
            throw error
        }
        let frames = try play(to: sink, steeredBy: control, recorder, progress)
        wasHeard = !isCancelled
        return SpeechSummary(
            format: sound.format, frames: frames, wasCancelled: isCancelled, timing: recorder?.kind,
            timingsPath: recorder?.storedPath, notices: notices)
    }

    private func play(
        to sink: any AudioSink, steeredBy control: PlaybackControl?, _ recorder: TimingsRecorder?,
        _ progress: (SpeechProgress) -> Void
    ) throws(SpeechError) -> Int {
        var handed = 0
        let player = SoundPlayer(
            sound: sound, sink: sink, isCancelled: { [self] in isCancelled }, control: control, timings: recorder)
        let frames: Int
        do {
            frames = try player.run(
                { news in
                    if case .reached(_, let frames) = news { handed = frames }
                    progress(news)
                }, onFailure: dropAll)
        } catch {
            // As with the sink: what was spoken is kept, and without a sound nothing changes.
            if handed > 0 { try? recorder?.finish(in: sound.format, frames: handed, isComplete: false) }
            throw error
        }
        if frames > 0 { try recorder?.finish(in: sound.format, frames: frames, isComplete: !isCancelled) }
        return frames
    }

    /// False if somebody else reads it, or did.
    private func claim(_ lease: SpeechLease, _ listener: Listener) -> Bool {
        let (isReader, isFirst) = state.update { state in
            if let reader = state.reader { return (reader == lease.number, false) }
            state.reader = lease.number
            return (true, true)
        }
        guard isFirst, !isCancelled else { return isReader }
        if !startingThreads("speech", { [self] in work(self, sound, listener) }) {
            sound.close(.noThread)
        }
        return true
    }
}
