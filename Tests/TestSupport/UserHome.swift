package import Foundation
import SynthSystem

/// The home folder of a new user on a machine without audio devices but with this build's programs. It is deleted when
/// this object is deallocated.
package final class UserHome: Sendable {
    package let path: String
    /// The folder that contains the programs and engines.
    package let programs: String

    package init(programs: String = BuildFolder.withoutNeuralEngines) throws {
        self.programs = programs
        path = URL(filePath: NSTemporaryDirectory()).appending(path: "synthhost-home-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try write("# no device at all\n", to: "asound.conf")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }
    package var plugins: String { file("data/synthhost/plugins") }

    package var environment: [String: String] {
        var environment = [
            "HOME": path, "XDG_DATA_HOME": file("data"), "XDG_CONFIG_HOME": file("config"),
            "XDG_CACHE_HOME": file("cache"), "XDG_STATE_HOME": file("state"), "ALSA_CONFIG_PATH": file("asound.conf"),
            "LANG": "C.UTF-8", "TERM": "xterm",
        ]
        // The settings of `Scripts/sanitize` apply to all processes, so that their reports are in the same place.
        for name in ["PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE"] {
            environment[name] = ProcessInfo.processInfo.environment[name]
        }
        return environment
    }

    /// The environment for copies of programs and engines.
    package var environmentOfCopies: [String: String] {
        environment.merging(["LD_LIBRARY_PATH": BuildFolder.libraries]) { _, own in own }
    }

    /// Writes a file, creating its parent folders.
    package func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    package func write(_ bytes: [UInt8], to name: String) throws {
        let file = URL(filePath: file(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// Blocks until the files inside a folder contain `count` bytes in total.
    package func wait(for count: Int, in folder: String) throws {
        let end = ContinuousClock.now + .seconds(300)
        func bytes() -> Int {
            let names = FileManager.default.enumerator(atPath: file(folder))?.allObjects as? [String] ?? []
            return names.reduce(0) { sum, name in
                let attributes = try? FileManager.default.attributesOfItem(atPath: file("\(folder)/\(name)"))
                let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
                return sum + (isFile ? attributes?[.size] as? Int ?? 0 : 0)
            }
        }
        while bytes() < count {
            guard ContinuousClock.now < end else { throw TooFewBytes(folder: folder, count: bytes()) }
            _ = try Poll.wait([], timeout: .milliseconds(20))
        }
    }

    private struct TooFewBytes: Error {
        let folder: String
        let count: Int
    }

    package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }
    package func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: file(name))) }
    package func wav(_ name: String) throws -> ParsedWAV { try ParsedWAV(try data(name)) }

    /// Starts `synthhost` in a separate process.
    package func start(
        _ arguments: [String], bytes: [[UInt8]] = [], adding variables: [String: String?] = [:],
        input: ChildProcess.Stream = .null, output: ChildProcess.Stream = .pipe, errors: ChildProcess.Stream = .pipe,
        ignoresBrokenPipes: Bool = false
    ) throws -> ChildProcess {
        var environment = environment
        for (name, value) in variables { environment[name] = value }
        return try ChildProcess(
            "\(programs)/synthhost", arguments: arguments.map { Array($0.utf8) } + bytes,
            environment: environment, input: input, output: output, errors: errors,
            ignoresBrokenPipes: ignoresBrokenPipes)
    }

    /// Runs `synthhost` to completion in a separate process.
    package func runProcess(
        _ arguments: String..., input: [UInt8]? = nil, adding variables: [String: String?] = [:]
    ) throws -> ChildResult {
        let process = try start(arguments, adding: variables, input: input == nil ? .null : .pipe)
        if let input { try process.feed(input, last: true) }
        return try process.finish()
    }

    /// Installs an engine from `Tests/Fixtures/Engines` in the plugins folder.
    ///
    /// - Parameters:
    ///   - choices: Macros of the form `NAME=value` or `NAME`.
    ///   - name: The file name, without its extension.
    package func install(_ engine: String, _ choices: [String] = [], as name: String? = nil) throws {
        try write(try FixtureEngines.library(engine, choices), to: "data/synthhost/plugins/\(name ?? engine).so")
    }

    /// Installs the faulty engine with the given behavior and ID and with one English voice of the given name.
    ///
    /// - Parameter choices: Macros for `faulty.c` of the form `NAME=value` or `NAME`.
    package func installFaulty(_ id: String, voice: String, _ choices: [String]) throws {
        let names = ["ID=\"\(id)\"", "NAME=\"\(voice)\"", "VOICE_NAME=\"\(voice)\"", "VOICE_ID=\"\(id)\""]
        try write(
            try FixtureEngines.library("faulty", names + choices), to: "data/synthhost/plugins/\(id).so")
    }
}
