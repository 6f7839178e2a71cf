import Glibc
package import SynthAudio
package import SynthEngineWire
package import SynthSystem

/// A single execution of a ``Speech``, which runs on its own thread from the first read to the last.
package final class SpeechRun: Sendable {
    private struct State: CancellableState {
        var readers = 0
        /// The ID of the reader that owns the run.
        var reader: Int?
        var isCancelled = false
        var notices: [SpeechNotice] = []
        var onNotice: (@Sendable (SpeechNotice) -> Void)?
        /// Unblocks the synthesis thread.
        var stop: (@Sendable () -> Void)?
        /// Unblocks the playback thread.
        var stopPlaying: (@Sendable () -> Void)?
    }
    private let state = Monitor(State())
    private let sound: SoundQueue
    /// The configured audio device.
    package let device: String?
    private let origin: TimingsOrigin
    /// Files that must not be overwritten.
    package let inUse: FilesInUse
    private let startingThreads: ThreadStart
    private let work: Work

    /// Fills the queue and closes it. Runs on its own thread and may block. The work calls `stopping(by:)` to register
    /// a callback that makes it return.
    package typealias Work = @Sendable (_ run: SpeechRun, _ sound: SoundQueue, _ listener: Listener) -> Void

    /// The consumer of the audio.
    package struct Listener {
        /// Whether a listener is waiting for the first audio.
        package var isAwaited: Bool
        /// Whether the audio is played as it arrives, in which case only the next sentence is urgent.
        package var isHeard: Bool
        /// Events that the consumer needs in addition to the requested ones.
        package var events: EventKinds = []

        package init(isAwaited: Bool, isHeard: Bool, events: EventKinds = []) {
            self.isAwaited = isAwaited
            self.isHeard = isHeard
            self.events = events
        }
    }

    /// - Parameter startingThreads: starts the synthesis thread.
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

    /// The notices in order of occurrence, without duplicates.
    var notices: [SpeechNotice] { state.read { $0.notices } }

    @Sendable package func note(_ notice: SpeechNotice) {
        let (notice, tell) = state.update { state -> (SpeechNotice, (@Sendable (SpeechNotice) -> Void)?) in
            if state.notices.contains(notice) { return (notice, nil) }
            var told = notice
            if case .phonemesSkipped(let engine, _?) = notice, state.notices.count >= Self.maximumWords {
                told = .phonemesSkipped(engine: engine, nil)
                if state.notices.contains(told) { return (told, nil) }
            }
            state.notices.append(told)
            return (told, state.onNotice)
        }
        tell?(notice)
    }

    /// The maximum number of words listed individually in notices about skipped phonemes.
    private static let maximumWords = 20

    /// Sets the callback for notices, which runs on the synthesis thread. Call this method before the first read.
    func noting(by body: @escaping @Sendable (SpeechNotice) -> Void) { state.update { $0.onNotice = body } }

    /// Registers a callback that stops the work. If the run is already cancelled, the callback is called immediately.
    package func stopping(by stop: @escaping @Sendable () -> Void) { state.stopping(by: stop) }

    /// Cancels the run. Idempotent; can be called from any thread.
    package func cancel() {
        state.update { $0.isCancelled = true }
        dropAll()
    }

    /// Drops the queued audio and stops synthesis.
    private func dropAll() {
        let (stop, stopPlaying) = state.update { state in
            defer { (state.stop, state.stopPlaying) = (nil, nil) }
            return (state.stop, state.stopPlaying)
        }
        // Stop playback first, so that the listener hears silence immediately.
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

    /// Cancels the run if this reader owns it.
    package func end(_ lease: SpeechLease) {
        if state.read({ $0.reader == lease.number }) { cancel() }
    }

    /// Returns the next chunk, or nil after the last one. Suspends until a chunk is available.
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

    /// Returns the next chunk, or nil after the last one or after cancellation. Blocks until a chunk is available.
    package func take(_ lease: SpeechLease, for listener: Listener) throws(SpeechError) -> SoundQueue.Piece? {
        guard claim(lease, listener) else { throw .alreadyRead }
        return try sound.pop(timeout: { .zero }, onUnderrun: { _ in })
    }

    /// Passes all audio to a sink on a separate thread.
    @discardableResult
    package func play(
        into sink: any AudioSink, steeredBy control: PlaybackControl<SpokenEvent>? = nil, timings: TimingsFile? = nil
    ) async throws(SpeechError) -> SpeechSummary {
        let lease = SpeechLease(self)
        // Releasing the lease would cancel the run, so keep it alive during playback.
        defer { withExtendedLifetime(lease) {} }
        let result = await withTaskCancellationHandler {
            await onThread("playback") { [self] in
                Result { () throws(SpeechError) in
                    try deliver(lease, to: sink, steeredBy: control, timings: timings)
                }
            }
        } onCancel: {
            // Do not cancel the run if another reader owns it.
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

    /// See `Speech.deliver`. The caller keeps the lease, because releasing it would cancel the run.
    func deliver(
        _ lease: SpeechLease, to sink: any AudioSink, steeredBy control: PlaybackControl<SpokenEvent>? = nil,
        timings: TimingsFile?, _ progress: (SpeechProgress) -> Void = { _ in }
    ) throws(SpeechError) -> SpeechSummary {
        var wasPlayed = false
        defer { control?.end(wasPlayed: wasPlayed) }
        let listener = Listener(
            isAwaited: sink.isAwaited, isHeard: sink.isHeard, events: timings == nil ? [] : [.sentence, .word])
        let recorder = timings.map { TimingsRecorder($0, origin) }
        let stopRecording = recorder?.stop
        guard claim(lease, listener) else { throw .alreadyRead }
        let stopPlaying: @Sendable () -> Void = {
            sink.stop()
            stopRecording?()
            // End playback, which might otherwise stay paused forever.
            control?.end(wasPlayed: false)
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
        wasPlayed = !isCancelled
        return SpeechSummary(
            format: sound.format, frames: frames, wasCancelled: isCancelled, timing: recorder?.kind,
            timingsPath: recorder?.storedPath, notices: notices)
    }

    private func play(
        to sink: any AudioSink, steeredBy control: PlaybackControl<SpokenEvent>?, _ recorder: TimingsRecorder?,
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
            // The audio file contains the audio up to the error, so write the timings for it. If there is no audio, write
            // nothing.
            if handed > 0 { try? recorder?.finish(in: sound.format, frames: handed, isComplete: false) }
            throw error
        }
        if frames > 0 { try recorder?.finish(in: sound.format, frames: frames, isComplete: !isCancelled) }
        return frames
    }

    /// Returns false if another reader owns the run.
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
