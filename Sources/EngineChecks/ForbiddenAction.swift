/// What the kernel ends the process of a check for.
package enum ForbiddenDeed: Equatable, Sendable {
    case openedInternetSocket
    case startedProcess
}
