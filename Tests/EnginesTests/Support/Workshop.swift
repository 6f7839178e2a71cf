import CLinux
import Engines
import Foundation
import System
import TestSupport

/// A folder of a test's own, with engines that are made there, and removed with it.
final class Workshop: Sendable {
    let folder: String

    init() throws {
        // Nobody else may write to the folder that an engine lies in.
        folder = "\(NSTemporaryDirectory())/engines-\(getpid())-\(UUID().uuidString)"
            .replacingOccurrences(of: "//", with: "/")
        try FileManager.default.createDirectory(
            atPath: "\(folder)/plugins", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var plugins: String { "\(folder)/plugins" }

    /// The real worker.
    var program: WorkerProgram {
        WorkerProgram(path: "\(BuildFolder.path)/synthhost-worker", logFolder: "\(folder)/logs")
    }

    static let tone = "\(BuildFolder.path)/libTone.so"

    /// Compiles the engine with faults; each choice is `NAME=value` or `NAME`.
    @discardableResult
    func makeEngine(_ choices: [String], named name: String = "faulty", in folder: String? = nil) throws -> String {
        let path = "\(folder ?? plugins)/\(name).so"
        try run(
            "cc",
            ["-std=gnu11", "-O1", "-shared", "-fPIC", "-I", "\(Self.root)/Sources/CSynthEngine/include"]
                + choices.map { "-D\($0)" } + ["-o", path, "\(Self.root)/Tests/Fixtures/Engines/faulty.c", "-lpthread"])
        return path
    }

    @discardableResult
    func copyTone(as name: String = "tone", in folder: String? = nil) throws -> String {
        let path = "\(folder ?? plugins)/\(name).so"
        try FileManager.default.copyItem(atPath: Self.tone, toPath: path)
        return path
    }

    @discardableResult
    func write(_ bytes: Data, as name: String) throws -> String {
        let path = "\(plugins)/\(name)"
        try bytes.write(to: URL(filePath: path))
        return path
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    struct Failure: Error, CustomStringConvertible { let description: String }

    private func run(_ program: String, _ arguments: [String]) throws {
        let result = try Command.run("/usr/bin/env", [program] + arguments)
        guard result.status == 0 else { throw Failure(description: result.errors) }
    }
}

/// A program that runs to its end.
enum Command {
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    static func run(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Result {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Both are short: neither fills a pipe while the other is read.
        let (said, complained) = (
            output.fileHandleForReading.readDataToEndOfFile(), errors.fileHandleForReading.readDataToEndOfFile()
        )
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }
}

/// Processes that host an engine file, and what they started: children keep the command line.
enum Processes {
    static func hosting(_ path: String) -> [pid_t] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
        return numbers.filter { number in
            guard let line = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") else { return false }
            let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return words.first?.hasSuffix("/synthhost-worker") == true && words.contains(path)
        }
    }

    /// What it has open, open here, too; none where the kernel does not allow that.
    static func copyDescriptors(of process: pid_t) -> [Descriptor] {
        // Swift does not import functions with any number of arguments.
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

    /// Waits until there is none.
    static func areGone(_ path: String, within limit: Duration = .seconds(10)) -> Bool {
        let end = ContinuousClock.now + limit
        while !hosting(path).isEmpty {
            if ContinuousClock.now > end { return false }
            usleep(5000)
        }
        return true
    }
}
