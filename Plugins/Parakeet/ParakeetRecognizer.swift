package import EngineKit
import SynthRecognizerParts

/// Transcribes speech with NVIDIA's Parakeet TDT in ONNX, in the file layout of onnx-asr or sherpa-onnx.
package struct ParakeetRecognizer: RecognizerPlugin {
    package static var description: RecognizerDescription {
        RecognizerDescription(
            id: "parakeet", name: "Parakeet", version: "0.1.0", license: "Apache-2.0 AND MIT",
            url: "https://huggingface.co/nvidia/parakeet-tdt-0.6b-v3",
            capabilities: [
                .transcribes, .givesPartials, .timesWords, .detectsLanguage, .heedsHints, .punctuates, .isDeterministic,
            ],
            // Lanes share the weights, but each lane needs memory for its audio.
            maximumLanes: 4, sampleRate: BandFeatures.rate,
            roles: [
                FileRole(ParakeetRole.encoder, scope: .model), FileRole(ParakeetRole.decoder, scope: .model),
                FileRole(ParakeetRole.joiner, scope: .model, isOptional: true),
                FileRole(ParakeetRole.tokens, scope: .model),
                FileRole(ParakeetRole.configuration, scope: .model, isOptional: true),
            ])
    }

    package static func load(_ files: ModelFiles) throws -> ParakeetListeningModel {
        let paths = ParakeetFiles(
            encoder: try files.files.path(ParakeetRole.encoder), decoder: try files.files.path(ParakeetRole.decoder),
            joiner: files.files[ParakeetRole.joiner], tokens: try files.files.path(ParakeetRole.tokens),
            configuration: files.files[ParakeetRole.configuration])
        let transcriber = try ParakeetTranscriber(paths, threads: files.threads, cacheDirectory: files.cacheDirectory)
        EngineLog.debug(transcriber.note)
        return ParakeetListeningModel(transcriber: transcriber)
    }
}

/// A loaded model, which all lanes share.
package struct ParakeetListeningModel: ListeningModel {
    let transcriber: ParakeetTranscriber

    package func open() -> ParakeetLane { ParakeetLane(transcriber: transcriber) }
}

/// An audio stream that is being transcribed.
package struct ParakeetLane: ListeningLane {
    let transcriber: ParakeetTranscriber

    package func recognize(
        _ request: RecognitionRequest, from sound: borrowing SoundInput, to hearing: borrowing RecognitionOutput
    ) throws {
        let stop = transcriber.makeStop()
        let phrases = transcriber.tree(of: request.hints.phrases)
        var hasSaid = false
        var windows = LongSound(
            transcriber.text, isOneText: request.hints.kind != .text,
            wantsPartials: request.isLive && request.wants.contains(.partials))
        try hearing.interrupting({ stop.stop() }) {
            try windows.run(
                read: { try sound.read(most: $0) }, ready: { sound.ready },
                transcribe: { try transcriber.tokens(of: $0, favouring: phrases, stop: stop) { try hearing.check() } },
                tell: { update in
                    switch update {
                    case .partial(let text, let stable): try hearing.partial(text, stable: stable)
                    case .final(let text):
                        try hearing.final(text)
                        hasSaid = true
                    }
                })
        }
        if !hasSaid { try hearing.final(RecognizedText("", frames: 0..<sound.frame)) }
    }
}
