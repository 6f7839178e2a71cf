import Glibc

/// Runs a body that writes, so that a reader that has gone shows as `EPIPE` alone and not as the end of the process.
package func withoutBrokenPipeSignal<Result>(_ body: () throws(Errno) -> Result) throws(Errno) -> Result {
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    do throws(Errno) {
        return try body()
    } catch {
        if error == .brokenPipe {
            var now = timespec()
            sigtimedwait(&signals, nil, &now)
        }
        throw error
    }
}
