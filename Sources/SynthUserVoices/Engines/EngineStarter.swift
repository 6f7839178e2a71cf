package import SynthEngineProcesses
import SynthEngineWire
package import SynthSystem

/// Starts engines, downloads and readers of documents for a process that has given up starting programs. Any thread may use it.
package struct EngineStarter: Sendable {
    let starter: ProgramStarter
    /// The walls of all engines that it starts, whatever the configuration says later.
    let confinement: EngineConfinement

    /// Gives up starting programs, for good: a small process starts workers, the fetcher and the reader from now on, which
    /// knows only these. A kernel without filters for calls gives nothing up. Nobody looks into this process any more.
    package init(_ installation: Installation, _ limits: EngineLimits) throws(Errno) {
        confinement = limits.confinement
        starter = try WorkerSpawn.starter(
            installation.worker, fetcher: installation.fetch, reader: installation.read, confinement: confinement,
            offering: Configuration.possibleEngineVariables)
        ProgramStarter.giveUpPrograms()
    }

    /// Gives up opening sockets, once those are open that others come to: a program that is asked by one could start another.
    package func giveUpSockets() { ProgramStarter.giveUpSockets() }

    /// Calls the body once nothing can be started any more, on a thread of its own.
    package func whenEnded(_ body: @escaping @Sendable () -> Void) { starter.whenEnded(body) }

    /// Whether engines would have other walls if it was made by these limits.
    package func differs(from limits: EngineLimits) -> Bool { confinement != limits.confinement }
}
