import EngineKit
import Phonemes
import Synchronization

struct EspeakLane: SpeechLane {
    let catalogue: VoiceCatalogue

    func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws {
        let name = try catalogue.name(for: request)
        guard request.text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { return }
        let prosody = Prosody(rate: request.rate, pitch: request.pitch)
        try EspeakLibrary.shared.withLock { library in
            try library.select(name, prosody)
            let (text, places) = try library.prepare(request)
            guard !places.isEmpty else { return }
            try output.begin(sampleRate: library.sampleRate)
            var utterance = Utterance(places: places)
            try library.speak(text, hasMnemonics: request.kind != .text, as: &utterance, to: output)
        }
    }
}
