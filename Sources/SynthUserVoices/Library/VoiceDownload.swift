import SynthCatalogue
public import SynthModelStore
@_exported public import struct SynthModelStore.DownloadProgress
@_exported public import enum SynthModelStore.DownloadState
@_exported public import struct SynthModelStore.NetworkPolicy
@_exported public import struct SynthModelStore.PruneCandidate
package import SynthSpeech
import SynthSystem

/// The download of a voice. Use `for await state in download` to follow it. `cancel` stops the download; leaving the
/// loop does not.
public struct VoiceDownload: AsyncSequence, Sendable {
    public typealias Element = DownloadState
    public typealias Failure = Never

    private let states: AsyncStream<DownloadState>
    private let stop: @Sendable () -> Void
    private let failure = Monitor<StoreError?>(nil)

    /// Why the download failed or was cancelled. nil if it succeeded or has not ended.
    package var problem: SpeechError? { failure.read { $0 }.map { SpeechError($0) } }

    /// - Parameters:
    ///   - offered: the user's existing files. A file that is identical to one of the voices' files is copied instead
    ///     of downloaded.
    ///   - executor: the executor to run the work on, or nil for Swift's default.
    ///   - measurement: creates the loudness measurement of a downloaded voice. Returns nil if the loudness is known or
    ///     cannot be measured. Blocks.
    init(
        _ voices: [Voice], store: ModelStore, offering offered: [String] = [], on executor: (any TaskExecutor)? = nil,
        measurement: @escaping @Sendable (Voice) -> LoudnessMeasurement? = { _ in nil }
    ) {
        self.init(
            of: voices, measuring: voices, store: store, offering: offered, on: executor, measurement: measurement)
    }

    init(_ models: [RecognizerModelEntry], store: ModelStore, on executor: (any TaskExecutor)? = nil) {
        self.init(of: models, measuring: [], store: store, offering: [], on: executor) { _ in nil }
    }

    private init(
        of entries: [any Installable], measuring voices: [Voice], store: ModelStore, offering offered: [String],
        on executor: (any TaskExecutor)?, measurement: @escaping @Sendable (Voice) -> LoudnessMeasurement?
    ) {
        // A slow reader receives only the latest state.
        let (states, continuation) = AsyncStream.makeStream(
            of: DownloadState.self, bufferingPolicy: .bufferingNewest(1))
        self.states = states
        let failure = failure
        // The priority is high because a user is waiting for the download.
        let work = Task(executorPreference: executor, priority: .userInitiated) {
            var last = DownloadState.ready
            do throws(StoreError) {
                try await store.pull(entries, offering: offered) { continuation.yield($0) }
            } catch {
                failure.update { $0 = error }
                last = DownloadState(error)
            }
            if case .ready = last {
                for voice in voices where !Task.isCancelled {
                    guard let measurement = await onThread("measuring", { measurement(voice) }) else { continue }
                    continuation.yield(.measuring)
                    await withTaskCancellationHandler {
                        // A failed measurement is ignored, because the voice is still usable.
                        await onThread("measuring") { _ = try? measurement.run() }
                    } onCancel: {
                        measurement.cancel()
                    }
                }
            }
            continuation.yield(last)
            continuation.finish()
        }
        stop = { work.cancel() }
    }

    /// Creates a download for a test double.
    package init(testing states: AsyncStream<DownloadState>, onCancel stop: @escaping @Sendable () -> Void) {
        self.states = states
        self.stop = stop
    }

    /// Stops the download and keeps the received data. Can be called from any thread.
    public func cancel() { stop() }

    public func makeAsyncIterator() -> Iterator { Iterator(states: states.makeAsyncIterator()) }

    /// Iterates over the states of a download.
    public struct Iterator: AsyncIteratorProtocol {
        var states: AsyncStream<DownloadState>.Iterator

        /// Returns the latest state, or nil after the last state.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> DownloadState? {
            await states.next(isolation: actor)
        }
    }
}

extension LocalHost {
    /// Downloads a voice and then measures its loudness.
    package func download(_ voice: SpeechVoice) -> VoiceDownload {
        VoiceDownload(voice.choice.shares.map(\.voice), store: store) { snapshot().loudnessMeasurement(of: $0) }
    }
}

extension SpeechError {
    /// Whether a server rejected the request because of rate limiting.
    package var isOfTooManyRequests: Bool { (cause as? StoreError)?.isOfTooManyRequests ?? false }

    /// Returns the error message for a failed download of the voice with this title.
    package func message(ofDownloading title: String) -> String {
        (cause as? StoreError)?.message(ofDownloading: title) ?? message
    }
}
