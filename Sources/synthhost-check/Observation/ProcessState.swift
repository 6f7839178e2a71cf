import Engines
import Glibc
import System

/// State that belongs to the whole process.
struct ProcessState {
    private var handlers: [Int] = []
    private var mask: [Bool] = []
    private var environment: [String] = []
    private var locale = ""
    private var folder = ""
    private var umask = ""

    static func now() -> ProcessState {
        var state = ProcessState()
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        for signal in 1..<Int32(32) {
            var action = sigaction()
            sigaction(signal, nil, &action)
            state.handlers.append(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self))
            state.mask.append(sigismember(&mask, signal) == 1)
        }
        var entry = environ
        while let string = entry.pointee {
            state.environment.append(String(cString: string))
            entry += 1
        }
        state.environment.sort()
        state.locale = setlocale(LC_ALL, nil).map { String(cString: $0) } ?? ""
        if let path = getcwd(nil, 0) {
            state.folder = String(cString: path)
            free(path)
        }
        let status = (try? readWholeFile("/proc/self/status", limit: 64 * 1024)) ?? []
        let lines = status.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        state.umask = lines.first { $0.hasPrefix("Umask:") } ?? ""
        return state
    }

    /// What has changed, as the object of "It changed"; nil if nothing has.
    func difference(from before: ProcessState) -> String? {
        for (index, handler) in handlers.enumerated() where handler != before.handlers[index] {
            return "the handler of \(signalName(Int32(index + 1)))"
        }
        if mask != before.mask { return "the signal mask" }
        if environment != before.environment {
            let change = Set(environment).symmetricDifference(before.environment).first ?? ""
            return "the environment (\(change))"
        }
        if locale != before.locale { return "the locale from \(before.locale) to \(locale)" }
        if folder != before.folder { return "the working directory" }
        if umask != before.umask { return "the umask" }
        return nil
    }
}
