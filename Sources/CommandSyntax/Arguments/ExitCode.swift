package import SynthHost

/// The exit code of a run, from `sysexits.h` if it has a fitting one. Scripts rely on them; they never change.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case failure = 1
    case usage = 64
    case inputMissing = 66
    case unavailable = 69
    case engineCrashed = 70
    case cannotWriteOutput = 73
    case audioOrDisk = 74
    case tryAgain = 75
    case configuration = 78
    case hungUp = 129
    case interrupted = 130
    case terminated = 143

    /// One line for the help and the manual.
    package var meaning: String {
        switch self {
        case .done: "done"
        case .failure: "failure that no other code names"
        case .usage: "wrong usage of the command line"
        case .inputMissing: "the input is missing, cannot be read or holds nothing to say"
        case .unavailable: "the engine, voice or model is not available"
        case .engineCrashed: "the engine crashed or hung"
        case .cannotWriteOutput: "the output cannot be written"
        case .audioOrDisk: "audio or disk failed"
        case .tryAgain: "try again: the network failed or a file is locked"
        case .configuration: "the configuration is wrong"
        case .hungUp: "the terminal was closed (SIGHUP)"
        case .interrupted: "interrupted (Ctrl-C)"
        case .terminated: "ended by SIGTERM"
        }
    }

    package init(_ error: ConfigurationError) {
        switch error {
        case .unreadable, .notJSON, .notAnObject, .unknownKey, .wrongValue, .wrongVariable: self = .configuration
        case .noSuchKey, .namesNoEngine, .namesNoClip, .namesNoFactor, .notSettable: self = .usage
        case .unwritable: self = .cannotWriteOutput
        }
    }
}
