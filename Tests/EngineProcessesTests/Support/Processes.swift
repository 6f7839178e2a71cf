import CSynthLinux
import Foundation
import SynthSystem

/// The workers for an engine file, and their child processes, which have the same command line.
enum Processes {
    static func hosting(_ path: String) -> [pid_t] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
        return numbers.filter { number in
            guard let line = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") else { return false }
            let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return words.first?.hasSuffix("/synthhost-worker") == true && words.contains(path)
        }
    }

    /// Returns copies of a process's descriptors; empty if the kernel does not permit copying them.
    static func copyDescriptors(of process: pid_t) -> [Descriptor] {
        // Swift does not import variadic functions.
        typealias Call = @convention(c) (Int, Int, Int, Int) -> Int
        let descriptor = linux_pidfd_open(process)
        guard let symbol = dlsym(nil, "syscall"), descriptor >= 0 else { return [] }
        let owner = Descriptor(owning: descriptor)
        let getDescriptor = 438
        return (0..<32).compactMap { number in
            let copy = unsafeBitCast(symbol, to: Call.self)(getDescriptor, Int(owner.raw), number, 0)
            return copy >= 0 ? Descriptor(owning: Int32(copy)) : nil
        }
    }

    /// Waits until no process hosts the engine.
    static func haveEnded(_ path: String, within limit: Duration = .seconds(600)) -> Bool {
        let end = ContinuousClock.now + limit
        while !hosting(path).isEmpty {
            if ContinuousClock.now > end { return false }
            usleep(5000)
        }
        return true
    }

    /// Waits until all threads of the process are asleep.
    static func isAsleep(_ process: pid_t, within limit: Duration = .seconds(600)) -> Bool {
        let end = ContinuousClock.now + limit
        while !states(of: process).allSatisfy({ $0 == "S" }) {
            if ContinuousClock.now > end { return false }
            usleep(5000)
        }
        return true
    }

    /// One state letter per thread, as in proc(5).
    private static func states(of process: pid_t) -> [Character] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return tasks.compactMap { task in
            ProcessStat.fields(in: "/proc/\(process)/task/\(task)")?.first?.first
        }
    }
}
