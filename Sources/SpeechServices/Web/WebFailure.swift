/// Why a route ends before its answer does.
enum WebFailure: Error, Sendable {
    /// The client is told, if nothing was sent yet; else the connection breaks, so that the client sees it.
    case problem(WebProblem)
    /// The client is gone, or takes nothing.
    case lost
    /// The service ends what it does.
    case stopped
}
