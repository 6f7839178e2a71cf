import EngineChecks
import EngineWire
import Glibc
import System

/// Sends what a check finds to the process that started it.
final class FindingSender: Sendable {
    private let socket: FrameSocket?

    init() {
        var status = stat()
        let isSocket = fstat(3, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
        socket = isSocket ? FrameSocket(Descriptor(owning: 3)) : nil
    }

    func send(_ message: CheckMessage) {
        if let socket {
            try? socket.send(message.frameBytes)
            return
        }
        switch message {
        case .engine(let engine): print("\(engine.name) \(engine.version) (\(engine.id))")
        case .doing(let what): print("… \(what)")
        case .finding(let finding):
            switch finding.detail {
            case .words(let words): print("\(finding.verdict.word): \(words)")
            // Whoever is at a debugger knows what it means.
            case .refused(let refusal, _): print("\(finding.verdict.word): \(refusal)")
            }
            for measurement in finding.measurements {
                print("  \(measurement.name): \(measurement.value) \(measurement.unit)")
            }
        }
    }

    /// When the host is gone, ends this process and all that the engine started.
    func endWithHost() {
        guard let socket else { return }
        startThread("host-watch") {
            _ = try? socket.receive()
            if getpgrp() == getpid() { kill(0, SIGKILL) }
            _exit(0)
        }
    }
}
