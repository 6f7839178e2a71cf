import Glibc
import SynthAudio
import System

/// One text on its way to whoever reads it: begins with the first read, on a thread of its own, and ends with the last.
final class SpeechRun: Sendable {
    private struct State {
        var readers = 0
        /// The number of the one who reads.
        var reader: Int?
        var isCancelled = false
        /// Stop whatever the threads block in: the one that makes the sound, and the one that plays it.
        var stop: (@Sendable () -> Void)?
        var stopPlaying: (@Sendable () -> Void)?
    }
    private let state = Monitor(State())
    private let sound: SoundQueue
    /// The device of the configuration.
    let device: String?
    private let work: Work

    /// Fills the queue and closes it. Blocks, on a thread of its own, and says through `stopping(by:)` what ends it.
    /// `isAwaited` = somebody waits for the first sound.
    typealias Work = @Sendable (_ run: SpeechRun, _ sound: SoundQueue, _ isAwaited: Bool) -> Void

    init(lookAhead: Duration, device: String? = nil, work: @escaping Work) {
        sound = SoundQueue(lookAhead: lookAhead)
        self.device = device
        self.work = work
    }

    var format: SpeechFormat? {
        sound.format.map { SpeechFormat(sampleRate: $0.sampleRate, channels: $0.channels) }
    }

    var isCancelled: Bool { state.read { $0.isCancelled } }

    /// Says what ends the work from now on; done at once if it was cancelled before.
    func stopping(by stop: @escaping @Sendable () -> Void) {
        let isCancelled = state.update { state in
            state.stop = stop
            return state.isCancelled
        }
        if isCancelled { stop() }
    }

    /// From any thread, as often as anybody wants.
    func cancel() {
        state.update { $0.isCancelled = true }
        letGo()
    }

    /// What is queued is dropped, and nothing more is made.
    private func letGo() {
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

    /// The one who reads has gone.
    func end(_ lease: SpeechLease) {
        if state.read({ $0.reader == lease.number }) { cancel() }
    }

    /// The next piece; nil after the last.
    func next(_ lease: SpeechLease, isolation: isolated (any Actor)?) async throws(SpeechError) -> SoundQueue.Piece? {
        try claim(lease, isAwaited: true)
        if Task.isCancelled { cancel() }
        let piece: SoundQueue.Piece?
        do throws(SpeechFailure) {
            piece = try await sound.next(isolation: isolation) { [self] in cancel() }
        } catch {
            throw isCancelled ? .cancelled : SpeechError(error)
        }
        if isCancelled { throw .cancelled }
        return piece
    }

    /// Hands all of it to a sink, on a thread of its own.
    func play(
        into sink: any AudioSink, steeredBy control: PlaybackControl? = nil
    ) async throws(SpeechError) {
        let lease = SpeechLease(self)
        // Nothing else holds it while it plays.
        defer { withExtendedLifetime(lease) {} }
        var wasHeard = false
        defer { control?.end(wasHeard: wasHeard) }
        try claim(lease, isAwaited: sink.isAwaited)
        let wasCancelled = state.update { state in
            // One that is paused waits for nothing but the end of its control.
            state.stopPlaying = {
                sink.stop()
                control?.end(wasHeard: false)
            }
            return state.isCancelled
        }
        if wasCancelled { throw .cancelled }
        let result = await withTaskCancellationHandler {
            await onThread("playback") { [self] () -> Result<Int, SpeechFailure> in
                let player = SoundPlayer(
                    sound: sound, sink: sink, isCancelled: { [self] in isCancelled }, control: control)
                do throws(SpeechFailure) {
                    return .success(try player.run(onFailure: letGo))
                } catch {
                    return .failure(error)
                }
            }
        } onCancel: {
            cancel()
        }
        if isCancelled { throw .cancelled }
        if case .failure(let failure) = result { throw SpeechError(failure) }
        wasHeard = true
    }

    private func claim(_ lease: SpeechLease, isAwaited: Bool) throws(SpeechError) {
        let isFirst = try state.update { state throws(SpeechError) in
            if let reader = state.reader {
                guard reader == lease.number else { throw .alreadyRead }
                return false
            }
            state.reader = lease.number
            return true
        }
        guard isFirst, !isCancelled else { return }
        guard startThread("speech", { [self] in work(self, sound, isAwaited) }) else {
            sound.close(.input("a thread for speech", Errno(EAGAIN)))
            return
        }
    }
}
