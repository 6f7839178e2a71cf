import SynthCatalogue
public import SynthModelStore
@_exported public import struct SynthModelStore.DownloadProgress
@_exported public import enum SynthModelStore.DownloadState
@_exported public import struct SynthModelStore.NetworkPolicy
@_exported public import struct SynthModelStore.PruneCandidate
package import SynthSpeech
import SynthSystem

/// The download of a voice: `for await state in download`. Leaving the loop cancels nothing; `cancel` does.
public struct VoiceDownload: AsyncSequence, Sendable {
    public typealias Element = DownloadState
    public typealias Failure = Never

    private let states: AsyncStream<DownloadState>
    private let stop: @Sendable () -> Void
    private let failure = Monitor<StoreError?>(nil)

    /// Why it ended without the voice, `cancel` included; nil = it did not, or not yet.
    package var problem: SpeechError? { failure.read { $0 }.map { SpeechError($0) } }

    /// - Parameters:
    ///   - offered: files of the user's. Those that are, byte for byte, files of the voices are copied instead of downloaded.
    ///   - executor: of the work; nil = Swift's default.
    ///   - measurement: measures how loud a voice is that was downloaded; nil = that is known or cannot be. Blocks.
    init(
        _ voices: [Voice], store: ModelStore, offering offered: [String] = [], on executor: (any TaskExecutor)? = nil,
        measurement: @escaping @Sendable (Voice) -> LoudnessMeasurement? = { _ in nil }
    ) {
        self.init(
            of: voices, measuring: voices, store: store, offering: offered, on: executor, measurement: measurement)
    }

    /// The download of models of recognizers.
    init(_ models: [HearingModel], store: ModelStore, on executor: (any TaskExecutor)? = nil) {
        self.init(of: models, measuring: [], store: store, offering: [], on: executor) { _ in nil }
    }

    private init(
        of entries: [any Installable], measuring voices: [Voice], store: ModelStore, offering offered: [String],
        on executor: (any TaskExecutor)?, measurement: @escaping @Sendable (Voice) -> LoudnessMeasurement?
    ) {
        // A slow reader gets the newest.
        let (states, continuation) = AsyncStream.makeStream(
            of: DownloadState.self, bufferingPolicy: .bufferingNewest(1))
        self.states = states
        let failure = failure
        // Somebody waits for it.
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
                    await measurement.runUnlessCancelled()
                }
            }
            continuation.yield(last)
            continuation.finish()
        }
        stop = { work.cancel() }
    }

    /// The download of a host that is a double.
    package init(testing states: AsyncStream<DownloadState>, onCancel stop: @escaping @Sendable () -> Void) {
        self.states = states
        self.stop = stop
    }

    /// Of a voice that was here all along.
    package static var finished: VoiceDownload { VoiceDownload() }

    private init() {
        let (states, continuation) = AsyncStream.makeStream(of: DownloadState.self)
        self.states = states
        continuation.yield(.ready)
        continuation.finish()
        stop = {}
    }

    /// Stops it; what arrived is kept. Any thread.
    public func cancel() { stop() }

    public func makeAsyncIterator() -> Iterator { Iterator(states: states.makeAsyncIterator()) }

    /// Reads the states of a download.
    public struct Iterator: AsyncIteratorProtocol {
        var states: AsyncStream<DownloadState>.Iterator

        /// The newest state; nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> DownloadState? {
            await states.next(isolation: actor)
        }
    }
}

extension LocalHost {
    /// Measures afterwards how loud the voice is.
    package func download(_ voice: SpeechVoice) -> VoiceDownload {
        VoiceDownload(voice.choice.shares.map(\.voice), store: store) { inventory().loudnessMeasurement(of: $0) }
    }
}

extension LoudnessMeasurement {
    /// A voice that cannot be measured speaks all the same.
    fileprivate func runUnlessCancelled() async {
        await withTaskCancellationHandler {
            await onThread("measuring") { _ = try? run() }
        } onCancel: {
            cancel()
        }
    }
}

extension SpeechError {
    /// Whether a server limits the rate of requests.
    package var isOfTooManyRequests: Bool { (cause as? StoreError)?.isOfTooManyRequests ?? false }

    /// The message for the download of a voice, with its title.
    package func message(ofDownloading title: String) -> String {
        (cause as? StoreError)?.message(ofDownloading: title) ?? message
    }
}
