package import ModelStore
import System
import VoiceCatalogue

/// The download of a voice: `for await state in download`. Leaving the loop cancels nothing; `cancel` does.
public struct VoiceDownload: AsyncSequence, Sendable {
    /// How far it is.
    @nonexhaustive
    public enum State: Sendable {
        /// Another process works on the same files; its id, if it is known.
        case waiting(process: Int32?)
        /// Bytes that are safe on the disk, of all; what remains is known once some have come.
        case downloading(bytes: Int64, of: Int64, bytesPerSecond: Double?, timeLeft: Duration?)
        /// What arrived is compared with its digest.
        case verifying
        /// An archive is unpacked.
        case unpacking
        /// The voice could speak now, and is measured, so that it will be as loud as other voices: some seconds. `cancel`
        /// leaves that out.
        case measuring
        /// The last one: the voice could speak now.
        case ready
        /// The last one. What arrived is kept, and the next download goes on from there.
        case failed(VoiceDownloadProblem, mayWorkLater: Bool)
        /// The last one, after `cancel`. What arrived is kept.
        case cancelled
    }

    public typealias Element = State
    public typealias Failure = Never

    private let states: AsyncStream<State>
    private let stop: @Sendable () -> Void

    /// - Parameter measurement: measures how loud a voice is that was downloaded; nil = that is known or cannot be. Blocks.
    init(
        _ voices: [Voice], store: ModelStore, measurement: @escaping @Sendable (Voice) -> LoudnessMeasurement?
    ) {
        // A slow reader gets the newest.
        let (states, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
        self.states = states
        // Somebody waits for it.
        let work = Task(priority: .userInitiated) {
            let watching = Task {
                for await state in store.states(of: voices) {
                    if let state = State(state) { continuation.yield(state) }
                }
            }
            var last = State.ready
            do throws(StoreError) {
                try await store.pull(voices)
            } catch {
                last =
                    error.kind == .cancelled
                    ? .cancelled : .failed(VoiceDownloadProblem(error), mayWorkLater: error.kind == .tryAgain)
            }
            watching.cancel()
            await watching.value
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
    package init(testing states: AsyncStream<State>, onCancel stop: @escaping @Sendable () -> Void) {
        self.states = states
        self.stop = stop
    }

    /// Of a voice that was here all along.
    package static var finished: VoiceDownload { VoiceDownload() }

    private init() {
        let (states, continuation) = AsyncStream.makeStream(of: State.self)
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
        var states: AsyncStream<State>.Iterator

        /// The newest state; nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> State? {
            await states.next(isolation: actor)
        }
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

extension VoiceDownload.State {
    /// nil = nothing is being done.
    fileprivate init?(_ state: ModelState) {
        switch state {
        case .waiting(let process): self = .waiting(process: process)
        case .downloading(let progress):
            self = .downloading(
                bytes: progress.bytes, of: progress.total, bytesPerSecond: progress.speed, timeLeft: progress.timeLeft)
        case .verifying: self = .verifying
        case .unpacking: self = .unpacking
        case .notDownloaded, .ready, .failed: return nil
        }
    }
}

/// Why a voice was not downloaded.
@nonexhaustive
public enum VoiceDownloadProblem: Sendable, Hashable {
    /// No server could be reached, or none went on.
    case network
    /// A server has no such file, or sends something else; the last status that one answered with, if any did.
    case refused(status: Int?)
    /// No network by the user's own wish.
    case offline
    /// In bytes, what is missing; nil = unknown.
    case diskFull(missing: Int64?)
    /// What arrived is not what was promised.
    case wrongContent
    /// A file or folder that could not be used, and its `errno` where there is one.
    case file(path: String, code: Int32?)
    /// Another process changes the same files; its id, where it could be told.
    case busy(process: Int32?)
    /// A program of the installation is missing, or failed.
    case installation
}

extension VoiceDownloadProblem {
    package init(_ error: StoreError) {
        switch error {
        case .file(let failure) where error.kind == .file:
            self = .file(path: failure.path, code: failure.reason.code)
        case .notDownloaded(let failure): self.init(failure.cause, at: failure.folder)
        case .notRead(let path, let cause): self.init(cause, at: path)
        case .busy(_, let process): self = .busy(process: process)
        case .noSpace(_, _, let needed, let free): self = .diskFull(missing: needed - free)
        case .file: self = .diskFull(missing: nil)
        case .changedWhileRead(let path), .changedWhileVerified(let path, _), .notOurs(let path), .notThere(let path):
            self = .file(path: path, code: nil)
        case .cancelled, .wrongDigest, .notUnpacked, .memberMissing, .removedMeanwhile, .notInStore, .invalidID,
            .idOfRegistry, .noFile, .severalFiles, .notWhole:
            self = .wrongContent
        }
    }

    private init(_ cause: FetchFailure, at path: String) {
        switch cause {
        case .servers(let failures) where cause.kind == .refused:
            self = .refused(status: failures.compactMap(\.status).last)
        case .servers, .silent, .cancelled: self = .network
        case .offline: self = .offline
        case .mirror: self = .refused(status: nil)
        case .part(_, let missing) where cause.kind == .diskFull: self = .diskFull(missing: missing)
        case .part(let failure, _), .archive(.file(let failure)):
            self = .file(path: failure.path, code: failure.reason.code)
        case .archive: self = .wrongContent
        case .program, .died, .crashed: self = .installation
        }
    }
}

extension ServerFailure {
    fileprivate var status: Int? {
        if case .status(let status, _) = problem { status } else { nil }
    }
}
