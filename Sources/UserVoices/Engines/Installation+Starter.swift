package import EngineProcesses
package import System

extension Installation {
    /// Gives up starting programs, for good: a small process starts workers and the fetcher from now on, which knows only these two. A
    /// kernel without filters for calls gives nothing up.
    ///
    /// - Parameter limits: of the engines that it starts; the walls count.
    package func startOnlyByOther(_ limits: EngineLimits) throws(Errno) -> ProgramStarter {
        let starter = try WorkerSpawn.starter(worker, fetcher: fetch, confinement: limits.confinement)
        ProgramStarter.giveUpStarting()
        return starter
    }
}
