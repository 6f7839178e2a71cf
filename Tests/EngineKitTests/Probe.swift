import CSynthEngine
import EngineKit
import Synchronization
import TestSupport

/// An engine for testing EngineKit. The text determines its behavior.
enum Probe: EnginePlugin {
    static let voiceCount = 1000

    static let description = EngineDescription(
        id: "probe", name: "Probe", version: "2", license: "MIT", url: "https://example.org/probe",
        capabilities: [.timesWords, .timesPhonemes, .shapesPitch, .whispers], maximumLanes: 3, rates: 0.5...2,
        pitches: 0.5...2,
        roles: [
            FileRole("weights", scope: .model), FileRole("style", scope: .voice, isOptional: true),
            FileRole("data", scope: .model, isOptional: true, isFolder: true),
        ],
        needs: [
            EngineNeed(.network, reason: "It asks."), EngineNeed(.executableMemory, reason: "It compiles."),
            EngineNeed(.device("/dev/dri"), reason: "It draws."), EngineNeed(.folder("/opt/x"), reason: "It reads."),
        ])

    static func voices() -> [EngineVoice] {
        (0..<voiceCount).map { number in
            EngineVoice(
                id: "v\(number)", name: "Voice \(number)", language: "en-GB", accent: number == 0 ? "British" : nil,
                gender: .female, model: "m", speakers: number < 500 ? ["a", "b"] : ["ü"],
                sources: [FileSource(role: "weights", url: "https://example.org/\(number)", sha256: "00", size: 7)])
        }
    }

    static func load(_ files: ModelFiles) throws -> ProbeModel {
        if files.files["data"] != nil { throw EngineError(.badFile, "The data is broken.", role: "data") }
        return ProbeModel(
            name: files.model, report: "\(files.model) \(files.threads) \(try files.files.path("weights"))")
    }
}

final class ProbeModel: SpeechModel {
    private static let living = Mutex<[String: Int]>([:])

    let name: String
    let report: String

    init(name: String, report: String) {
        self.name = name
        self.report = report
        Self.living.withLock { $0[name, default: 0] += 1 }
    }

    deinit { Self.living.withLock { $0[name, default: 0] -= 1 } }

    /// Returns the number of loaded models with this name.
    static func live(_ name: String) -> Int { living.withLock { $0[name, default: 0] } }

    func open() -> ProbeLane { ProbeLane(model: self) }
}

struct ProbeLane: SpeechLane {
    struct Odd: Error, CustomStringConvertible {
        let description = "An odd error."
    }

    let model: ProbeModel
    var spoken = 0

    mutating func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws {
        spoken += 1
        switch request.text {
        case "": return
        case "report":
            let voice = request.voice
            let facts = [
                model.report, voice.id, voice.speaker ?? "-", voice.files["style"] ?? "-", request.language ?? "-",
                "\(request.rate) \(request.pitch) \(spoken)" + (request.isAwaited ? " awaited" : ""),
            ]
            throw EngineError(.failed, facts.joined(separator: "|"))
        case "pitch äöü":
            let points = request.pitchPoints.map { "\($0.textOffset) \($0.factor)" }
            throw EngineError(
                .failed,
                "\(request.pitch) \(request.intonation)" + (request.isWhispered ? " whispered" : "") + "|"
                    + points.joined(separator: "|"))
        case "umlauts": throw EngineError(.badRequest, "äöü")
        case "role": throw EngineError(.badFile, "It is broken.", role: "style")
        case "strange role": throw EngineError(.missingFile, "It is missing.", role: "unheard-of")
        case "memory": throw EngineError(.outOfMemory, "There is no memory.")
        case "odd": throw Odd()
        case "log": EngineLog.warning("\(model.name) says\nsomething")
        case "early": try output.write([0])
        case "half":
            try output.begin(sampleRate: 8000, channels: 2)
            try output.write([0, 0, 0])
        case "deaf":
            try output.begin(sampleRate: 8000)
            for _ in 0..<10 { try? output.write([0.5]) }
        case "busy":
            try output.begin(sampleRate: 8000)
            try output.check()
            while !output.isCancelled {}
        default:
            try output.begin(sampleRate: 8000)
            try output.sentence(0..<request.text.utf8.count)
            for step in 0..<100 {
                try output.word(0..<0)
                try output.phoneme("ə", frameCount: 10)
                try output.write([Float](repeating: Float(step) / 100, count: 10))
            }
        }
    }
}

/// A second engine, for testing that a shared object can contain only one.
enum SecondProbe: EnginePlugin {
    static let description = EngineDescription(id: "second", name: "Second", version: "1", license: "MIT")

    static func load(_ files: ModelFiles) -> ProbeModel { ProbeModel(name: files.model, report: "") }
}

extension LoadedEngine {
    /// The probe, loaded in this process.
    static func probe() throws -> LoadedEngine { try LoadedEngine(entry: Probe.table) }
}
