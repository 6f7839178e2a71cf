import Glibc

/// Runs a body that writes. If the reader has closed its end, the body gets `EPIPE` and the process no SIGPIPE.
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
