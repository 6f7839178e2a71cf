import SynthHost
import Terminal

extension CommandContext {
    /// Has a request to stop end the engines of a host at once, until there is something that can be stopped with care.
    func leave(_ host: LocalHost, at cancellation: Cancellation, _ reporter: ProgressReporter) {
        cancellation.setExitAction { host.abandonEngines() }
        cancellation.set { [interruption] in
            reporter.end()
            host.abandonEngines()
            interruption.leave()
        }
    }
}
