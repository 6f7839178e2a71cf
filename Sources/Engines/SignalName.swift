import Glibc

/// The name of a signal, such as "SIGSEGV"; its number if it is rare.
package func signalName(_ signal: Int32) -> String {
    switch signal {
    case SIGSEGV: "SIGSEGV"
    case SIGABRT: "SIGABRT"
    case SIGBUS: "SIGBUS"
    case SIGILL: "SIGILL"
    case SIGFPE: "SIGFPE"
    case SIGTRAP: "SIGTRAP"
    case SIGKILL: "SIGKILL"
    case SIGTERM: "SIGTERM"
    case SIGPIPE: "SIGPIPE"
    case SIGSYS: "SIGSYS"
    default: "signal \(signal)"
    }
}
