import Archives
import Foundation
import Glibc
import ModelStore
import System

// One job in, events out: see FetchJob and FetchEvent. The program ends with its job, or when whoever started it does.

// A file that may not grow further is an error of the write, and not the end of the program.
signal(SIGXFSZ, SIG_IGN)

let reporter = Reporter(Descriptor(owning: STDOUT_FILENO))

guard let line = readLine(strippingNewline: true),
    let job = try? JSONDecoder().decode(FetchJob.self, from: Data(line.utf8))
else {
    FileHandle.standardError.write(
        Data("synthhost-fetch downloads for synthhost and is not started by hand. Try: synthhost models pull\n".utf8))
    exit(64)
}
ParentWatch.start()

let archives = ArchiveWork()
do throws(FetchFailure) {
    switch job {
    case .download(let job):
        guard !NetworkPolicy(environment: ProcessInfo.processInfo.environment).isOffline else { throw .offline }
        var download = try Download(job, reporter)
        try await download.run()
        archives.finish(job, say: reporter.say)
    case .unpack(let job): try archives.run(job, say: reporter.say)
    case .digest(let job): archives.run(job, say: reporter.say)
    }
    reporter.say(.done)
    exit(0)
} catch {
    reporter.say(.failed(error))
    exit(1)
}
