import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

/// The intruder engine with an open lane, and the targets of its attempts.
final class IntruderFixture {
    enum Outcome: Equatable {
        /// The kernel denied the attempt. The value is the intruder's message.
        case refused(String)
        /// The kernel performed the attempt, or checked it and found a different error (errno).
        case reached(Int)
    }

    let path: String
    let lane: EngineLane
    /// The folder that contains the secret, outside the plugins folder.
    private let outside: String
    private let fixture: EngineFixture
    private let cache: String
    private let model: String
    private let engineBytes: Data
    private let bystander: ChildProcess
    /// The targets' state before the attempts.
    private var state: [String] = []

    /// - Parameters:
    ///   - needs: The engine's needs; `OUTSIDE` in a path is replaced by the folder that contains the secret.
    ///   - allows: Whether the user grants these needs.
    init(
        asking needs: [EngineNeed.Kind] = [], allows: Bool = false,
        _ confinement: (inout WorkerProgram) -> Void = { _ in }
    ) throws {
        fixture = try EngineFixture()
        outside = "\(fixture.folder)/outside"
        cache = "\(fixture.folder)/cache"
        model = "\(fixture.folder)/models/weights.bin"
        for folder in [outside, cache, "\(fixture.folder)/models"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let asked = needs.map { Self.macro(of: $0) }.joined(separator: ", ").replacing("OUTSIDE", with: outside)
        let library = try FixtureEngines.library(
            "intruder", ["AT_LOAD=\"\(Self.place)\""] + (needs.isEmpty ? [] : ["NEEDS=\(asked)"]))
        engineBytes = try Self.put("\(outside)/secret", into: library)
        path = try fixture.write(engineBytes, as: "intruder.so")
        try Self.renew(outside, model: model)
        let secret = try FileHandle(forReadingFrom: URL(filePath: "\(outside)/secret"))
        bystander = try ChildProcess(
            "/usr/bin/env", arguments: ["sleep", "1000"].map { Array($0.utf8) }, environment: ["PATH": "/usr/bin:/bin"],
            input: .descriptor(secret.fileDescriptor))
        var program = fixture.program
        confinement(&program)
        let description = try EngineFile(path: path).describe(by: program, limits: .short())
        let engine = Engine(
            file: path, description: description, program: program, limits: .short(),
            allowing: allows ? description.needs.map(\.kind) : [])
        lane = try engine.openLane(
            on: LoadRequest(
                id: "one", cacheDirectory: cache, files: [HandedFile(role: "weights", path: model)]))
        state = try condition()
    }

    /// A placeholder that is replaced with the secret's path, so that the library is compiled only once.
    private static let place = String(repeating: "?", count: 500)

    private static func put(_ secret: String, into library: [UInt8]) throws -> Data {
        var bytes = Data(library)
        let range = try #require(bytes.range(of: Data(place.utf8)))
        let path = Data(secret.utf8)
        try #require(path.count < range.count)
        bytes.replaceSubrange(range, with: path + Data(count: range.count - path.count))
        return bytes
    }

    private static func macro(of need: EngineNeed.Kind) -> String {
        let path = need.path.map { "\"\($0)\"" } ?? "NULL"
        return switch need {
        case .network: "NEED(SYNTH_NEED_NETWORK, \(path))"
        case .executableMemory: "NEED(SYNTH_NEED_EXECUTABLE_MEMORY, \(path))"
        case .device: "NEED(SYNTH_NEED_DEVICE, \(path))"
        case .folder: "NEED(SYNTH_NEED_FOLDER, \(path))"
        // An engine requests variables in a separate field of its description instead of as needs.
        case .variable: ""
        }
    }

    /// - Returns: The outcome, and whether all targets are unchanged.
    func attempt(_ attempt: Attempt) throws -> (Outcome, isUntouched: Bool) {
        let outcome = try ask("\(attempt.name) \(text(of: attempt.target))")
        let isUntouched = try condition() == state
        if case .reached = outcome {
            try? FileManager.default.removeItem(atPath: outside)
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
            try Self.renew(outside, model: model)
            try? FileManager.default.removeItem(atPath: path)
            try engineBytes.write(to: URL(filePath: path))
            state = try condition()
        }
        return (outcome, isUntouched)
    }

    func ask(_ text: String) throws -> Outcome {
        do throws(EngineFailure) {
            return .reached(try lane.speak(text).samples.count - 100)
        } catch {
            guard case .reported(let complaint) = error.reason, complaint.message.hasPrefix("refused: ") else {
                throw error
            }
            return .refused(complaint.message)
        }
    }

    var bystanderLives: Bool { !bystander.hasEnded }
    var leftInCache: [String] { FolderListing.names(in: cache) }

    func text(of target: Attempt.Target) -> String {
        switch target {
        case .nothing: ""
        case .secret: "\(outside)/secret"
        case .free: "\(outside)/free"
        case .folder: outside
        case .empty: "\(outside)/empty"
        case .model: model
        case .engine: path
        case .process: String(bystander.identifier)
        case .processAndSecret: "\(bystander.identifier) \(outside)/secret"
        case .path(let path): path
        }
    }

    private static func renew(_ outside: String, model: String) throws {
        try Data("nobody's business".utf8).write(to: URL(filePath: "\(outside)/secret"))
        try Data("weights".utf8).write(to: URL(filePath: model))
        try FileManager.default.createDirectory(atPath: "\(outside)/empty", withIntermediateDirectories: false)
        for file in ["\(outside)/secret", model] { chmod(file, 0o600) }
    }

    /// The names, contents, modes and times of the targets.
    private func condition() throws -> [String] {
        let files = FolderListing.names(in: outside).sorted().map { "\(outside)/\($0)" } + [model, path]
        return files.map { file in
            var status = stat()
            guard lstat(file, &status) == 0 else { return "\(file) is gone" }
            let bytes = FileManager.default.contents(atPath: file)?.hashValue ?? 0
            return "\(file) \(status.st_ino) \(status.st_mode) \(status.st_uid) \(status.st_nlink) "
                + "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_size) \(bytes)"
        }
    }
}
