/// An action for which the kernel kills the process of a check (seccomp).
package enum ForbiddenAction: Equatable, Sendable {
    case openedInternetSocket
    case startedProcess
}
