import CSynthEngine
import EngineKit
import Foundation
import Synchronization
import TestSupport

/// A recognizer for testing EngineKit. Each test determines its behavior.
enum RecognizerProbe: RecognizerPlugin {
    static let description = RecognizerDescription(
        id: "probe", name: "Probe", version: "2", license: "MIT", url: "https://example.org/probe",
        capabilities: [.transcribes, .givesPartials, .translates], maximumLanes: 3, sampleRate: 8000,
        longestSound: .milliseconds(30_900),
        roles: [
            FileRole("weights", scope: .model), FileRole("words", scope: .model, isOptional: true, isFolder: true),
        ],
        variables: ["PROBE_PATH"], needs: [EngineNeed(.device("/dev/dri"), reason: "It computes.")])

    static func models() -> [RecognizerModel] {
        [
            RecognizerModel(
                id: "small", name: "Small", capabilities: .transcribes, languages: ["en", "de-CH"], license: "CC0-1.0",
                sources: [FileSource(role: "weights", url: "https://example.org/small", sha256: "00", size: 7)]),
            RecognizerModel(id: "any", name: "Any"),
        ]
    }

    static func load(_ files: ModelFiles) throws -> ProbeRecognizerModel {
        if files.files["words"] != nil { throw EngineError(.badFile, "The words are broken.", role: "words") }
        return ProbeRecognizerModel(
            name: files.model, report: "\(files.model) \(files.threads) \(try files.files.path("weights"))")
    }
}

final class ProbeRecognizerModel: ListeningModel {
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

    func open() -> ProbeEar { ProbeEar(model: self) }
}

struct ProbeEar: ListeningLane {
    let model: ProbeRecognizerModel
    var heard = 0

    mutating func recognize(
        _ request: RecognitionRequest, from sound: borrowing SoundInput, to hearing: borrowing RecognitionOutput
    ) throws {
        heard += 1
        guard let context = request.hints.context, let act = Acts.act(context) else {
            throw EngineError(.failed, "\(model.report)|\(heard)|\(request.hints.context ?? "-")")
        }
        try act(request, sound, hearing)
    }
}

/// The actions that tests assign to the probe, keyed by the context in the hints.
enum Acts {
    typealias Act =
        @Sendable (RecognitionRequest, borrowing SoundInput, borrowing RecognitionOutput) throws -> Void

    private static let acts = Mutex<[String: Act]>([:])

    static func act(_ name: String) -> Act? { acts.withLock { $0[name] } }

    static func add(_ act: @escaping Act) -> String {
        let name = UUID().uuidString
        acts.withLock { $0[name] = act }
        return name
    }
}

/// A second recognizer, for testing that a shared object can contain only one.
enum SecondRecognizer: RecognizerPlugin {
    static let description = RecognizerDescription(
        id: "second", name: "Second", version: "1", license: "MIT", capabilities: .transcribes)

    static func load(_ files: ModelFiles) -> ProbeRecognizerModel {
        ProbeRecognizerModel(name: files.model, report: "")
    }
}

extension LoadedRecognizer {
    /// The probe, loaded in this process.
    static func probe() throws -> LoadedRecognizer { try LoadedRecognizer(entry: RecognizerProbe.table) }
}

extension LoadedRecognizerLane {
    /// A lane of the probe.
    static func probe() throws -> LoadedRecognizerLane {
        try LoadedRecognizer.probe().load("small", files: ["weights": "/w"]).open()
    }

    /// Runs a request in which the probe performs `act`.
    func listen(
        to sound: [Float], as change: (inout TestRecognition) -> Void = { _ in },
        shouldContinue: @escaping (RecordedRecognition) -> Bool = { _ in true }, _ act: @escaping Acts.Act
    ) -> RecordedRecognition {
        var request = TestRecognition(sound, context: Acts.add(act))
        change(&request)
        return listen(request, shouldContinue: shouldContinue)
    }
}

/// Returns the given number of frames, each with a different value.
func ramp(_ count: Int) -> [Float] { (0..<count).map { Float($0) / Float(count) } }
