import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

/// A recognizer built in a temporary folder, which is deleted when this object is deinitialized.
final class RecognizerFixture: Sendable {
    private let folder: TemporaryFolder
    let file: String
    let program: WorkerProgram

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    static let scripted = "Plugins/Scripted/scripted"
    static let deaf = "deaf"

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// - Parameter choices: Macros of the form `NAME=value` or `NAME`.
    init(_ source: String, _ choices: [String] = []) throws {
        folder = try TemporaryFolder()
        file = "\(folder.path)/recognizer.so"
        program = WorkerProgram(path: "\(BuildFolder.path)/synthhost-worker", logFolder: "\(folder.path)/logs")
        try FixtureEngines.write(source, choices, to: file)
    }

    /// Generates a recognizer with `Scripts/new-engine` and builds it with the printed commands, but without
    /// optimization and with warnings treated as errors.
    init(skeleton name: String, _ language: String) throws {
        folder = try TemporaryFolder()
        program = WorkerProgram(path: "\(BuildFolder.path)/synthhost-worker", logFolder: "\(folder.path)/logs")
        let type = name.split(separator: "-").map(\.capitalized).joined()
        file = "\(folder.path)/made/" + (language == "--c" ? "\(name).so" : ".build/release/lib\(type).so")
        let script = try ChildProcess.run(
            "\(Self.root)/Scripts/new-engine", ["--recognizer", name, language, "\(folder.path)/made"])
        // The commands are delimited by blank lines.
        let shown = script.text.components(separatedBy: "\n\n")
        guard script.code == 0, shown.count == 3 else { throw Failure(description: script.text + script.errors) }
        let commands = shown[1].replacing("cc -std", with: "cc -Werror -std")
            .replacing("swift build", with: "swift build -Xswiftc -Onone -Xswiftc -warnings-as-errors")
        // The last command is omitted, because it would build this checkout.
        let building = commands.split(separator: "\n").filter { !$0.contains(" engines validate ") }
        let result = try ChildProcess.run(
            "/bin/sh", ["-euc", "umask 022\n" + building.joined(separator: "\n")])
        guard result.code == 0 else { throw Failure(description: result.text + result.errors) }
    }

    func write(_ text: String, to name: String) throws -> String { try folder.write(Data(text.utf8), to: name) }

    func recognizer(_ limits: EngineLimits = .patient) throws -> Recognizer {
        let description = try EngineFile(path: file).describe(
            as: RecognizerDescription.self, by: program, limits: limits)
        return Recognizer(file: file, description: description, program: program, limits: limits)
    }

    func lane(_ limits: EngineLimits = .patient, files: [HandedFile] = []) throws -> RecognizerLane {
        try recognizer(limits).openLane(on: LoadRequest(id: "script", files: files))
    }
}

extension EngineLimits {
    /// Limits that are not reached even on a busy machine.
    static var patient: EngineLimits {
        var limits = EngineLimits()
        (limits.scan, limits.load, limits.audio, limits.idle) = (
            .seconds(600), .seconds(600), .seconds(600), .seconds(600)
        )
        limits.cancelGrace = .seconds(600)
        return limits
    }
}

/// Audio that is complete but delivered in pieces.
final class CompleteAudio: RecognizerAudio {
    private let samples: [Float]
    private let piece: Int
    private(set) var place = 0
    let arrival: Descriptor? = nil

    init(_ samples: [Float], piece: Int = .max) {
        self.samples = samples
        self.piece = piece
    }

    func next(most: Int) -> RecognizerInput {
        guard place < samples.count else { return .ended }
        let count = min(most, piece, samples.count - place)
        defer { place += count }
        return .frames(Array(samples[place..<place + count]))
    }

    /// Samples at 16 kHz that alternate between a tone and silence. The lengths are in seconds.
    static func stretches(_ lengths: [(tone: Double, silence: Double)]) -> [Float] {
        lengths.flatMap { tone, silence in
            (0..<Int(tone * 16_000)).map { sin(Float($0) * 0.3) * 0.5 }
                + [Float](repeating: 0, count: Int(silence * 16_000))
        }
    }
}

/// Audio that is added while it is being read.
final class LiveSound: RecognizerAudio, @unchecked Sendable {
    private let waiting = Monitor<(frames: [Float], isEnded: Bool)>(([], false))
    private let wakeUp: WakeUp
    var arrival: Descriptor? { wakeUp.descriptor }

    init() throws { wakeUp = try WakeUp() }

    func add(_ frames: [Float]) {
        waiting.update { $0.frames += frames }
        wakeUp.signal()
    }

    func end() {
        waiting.update { $0.isEnded = true }
        wakeUp.signal()
    }

    func next(most: Int) -> RecognizerInput {
        wakeUp.clear()
        return waiting.update { waiting in
            if waiting.frames.isEmpty { return waiting.isEnded ? .ended : .nothing }
            defer { waiting.frames.removeFirst(min(most, waiting.frames.count)) }
            let taken = Array(waiting.frames.prefix(most))
            if waiting.frames.count > most { wakeUp.signal() }
            return .frames(taken)
        }
    }
}

extension RecognitionJob.Wants {
    static let everything: RecognitionJob.Wants = [.partials, .words, .speechEvents]
}

extension CompleteAudio {
    /// Half a second of silence, followed by three tones, each followed by silence.
    static let three = stretches([(0, 0.5), (1, 0.5), (0.6, 0.4), (0.3, 0.1)].map { (tone: $0.0, silence: $0.1) })
}

/// Returns everything that a lane reports for the audio, except progress. Expects the lane to read all the audio.
func listen(
    _ lane: RecognizerLane, _ request: RecognitionJob = RecognitionJob(wants: .everything),
    to sound: some RecognizerAudio = CompleteAudio(CompleteAudio.three)
) throws -> [RecognizedPart] {
    var parts: [RecognizedPart] = []
    let isWhole = try lane.listen(request, to: sound) { part in
        if case .progress = part { return true }
        parts.append(part)
        return true
    }
    #expect(isWhole)
    return parts
}
