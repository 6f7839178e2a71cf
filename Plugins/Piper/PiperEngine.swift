import CSynthEngine
import Dispatch
public import EngineKit
import SynthInference
import SynthPhonemes

/// Speaks with the published voices of the Piper project: a model and its configuration.
struct PiperEngine: EnginePlugin {
    static var description: EngineDescription {
        EngineDescription(
            id: "piper", name: "Piper", version: "0.1.0",
            // The license of libespeak-ng, which is linked into the engine.
            license: "GPL-3.0-or-later",
            capabilities: [.speaksPhonemes, .timesWords, .timesPhonemes, .streams, .varies],
            // Lanes share the weights, but each lane needs memory for its current sentence.
            maximumLanes: 4,
            // No rates are declared: the model rounds each duration up to whole frames and gives each symbol at least
            // one frame, so a length scale has only two thirds of the intended effect. The host's time-stretching is
            // exact.
            roles: [FileRole(PiperRole.model, scope: .model), FileRole(PiperRole.config, scope: .model)],
            variables: ModelForm.variables)
    }

    static func load(_ files: ModelFiles) throws -> PiperModel {
        try PiperModel(files)
    }
}

/// The engine's entry point; `nil` for an unsupported ABI version.
@c @implementation
public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
    PiperEngine.table(abi: abi, host: host)
}

/// A loaded voice.
struct PiperModel: SpeechModel {
    private let configuration: PiperConfiguration
    private let frontEnd: PiperFrontEnd
    private let voice: PiperInference

    init(_ files: ModelFiles) throws {
        guard let json = FileContents.content(of: try files.files.path(PiperRole.config), most: 4 << 20) else {
            throw PiperFailure.config("cannot be read")
        }
        configuration = try PiperConfiguration(json: json)
        guard (8000...192_000).contains(configuration.sampleRate) else {
            throw PiperFailure.config("has an invalid sample rate")
        }
        let scales = [configuration.noiseScale, configuration.lengthScale, configuration.noiseWidth]
        guard scales.allSatisfy({ $0.isFinite && $0 >= 0 }), configuration.lengthScale > 0 else {
            throw PiperFailure.config("has an invalid scale")
        }
        guard (0..<configuration.speakerCount).contains(configuration.default_speaker_id ?? 0) else {
            throw PiperFailure.config("has a default speaker that is not in its speaker list")
        }
        let frontEnd = try PiperFrontEnd(configuration, voice: files.model)
        self.frontEnd = frontEnd
        let preparation = DispatchGroup()
        // If the thread cannot be started, the first request waits for espeak-ng.
        WorkThread.start(in: preparation) { frontEnd.prepare() }
        defer { preparation.wait() }
        let path = try files.files.path(PiperRole.model)
        voice = try PiperInference(
            model: path, threads: files.threads > 0 ? files.threads : InferenceQueue.usefulThreads,
            cacheDirectory: files.cacheDirectory, configuration)
        EngineLog.debug("espeak-ng \(Espeak.version)")
    }

    func open() -> PiperLane {
        PiperLane(configuration: configuration, frontEnd: frontEnd, voice: voice)
    }
}
