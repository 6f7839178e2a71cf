import Archives
import CLinux
import Glibc
import LocatedJSON
import ModelStore
import System

// Reads one FetchJob and writes FetchEvents. The program ends with its job, or with the process that started it.

// At the limit of a file's size, the write should fail and the program should not be killed.
signal(SIGXFSZ, SIG_IGN)
linux_harden()
linux_keep_private()

let reporter = Reporter(Descriptor(owning: STDOUT_FILENO))

guard let line = readLine(strippingNewline: true),
    let job = try? JSONReader.read(Array(line.utf8)).decode(FetchJob.self)
else {
    let words = "synthhost-fetch downloads for synthhost and is not started by hand. Try: synthhost models pull\n"
    try? Descriptor(owning: STDERR_FILENO).writeAll(Array(words.utf8))
    exit(64)
}
job.confine()
ParentWatch.start()

let archives = ArchiveWork()
do throws(FetchFailure) {
    switch job {
    case .download(let job):
        guard !NetworkPolicy(environment: ProcessEnvironment().variables).isOffline else { throw .offline }
        var download = try Download(job, reporter)
        try download.run()
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

/// Ends this process with the one that started it, so that it does not go on writing to the store.
enum ParentWatch {
    static func start() {
        startThread("parent") {
            var byte: UInt8 = 0
            while let count = try? Errno.check({ read(STDIN_FILENO, &byte, 1) }), count > 0 {}
            _exit(1)
        }
    }
}
