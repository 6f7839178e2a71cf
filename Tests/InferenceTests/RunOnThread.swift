import Foundation
import Synchronization

@testable import SynthGraphs
@testable import SynthInference

/// A long run of a single-threaded session on a separate thread. Its work is measured as that thread's CPU time, which
/// does not depend on the machine's load.
final class RunOnThread: Sendable {
    private struct State {
        var clock: clockid_t?
        var work = Duration.zero
        var result: Result<Void, any Error>?
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    init(_ session: InferenceSession, as run: InferenceRun) {
        let thread = Thread { [self] in
            var clock = clockid_t()
            pthread_getcpuclockid(pthread_self(), &clock)
            state.withLock { [clock] in $0.clock = clock }
            let result = Result {
                _ = try session.run(TestVoice.inputs(TestVoice.long), outputs: ["output"], as: run)
            }
            state.withLock { [clock] in $0 = State(clock: nil, work: Self.time(clock), result: result) }
            ended.signal()
        }
        thread.start()
    }

    /// The run's CPU time so far.
    var work: Duration { state.withLock { state in state.clock.map(Self.time) ?? state.work } }

    /// Waits until the run has used the given amount of CPU time or has ended.
    func waitForWork(_ least: Duration) {
        while work < least, state.withLock({ $0.result == nil }) { Thread.sleep(forTimeInterval: 0.001) }
    }

    /// Waits for the run to end. Call this only once.
    func result() throws {
        ended.wait()
        try state.withLock { $0.result }?.get()
    }

    private static func time(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
