import EngineKit
import Synchronization

struct EspeakLane: SpeechLane {
    let catalogue: VoiceCatalogue

    func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws {
        let name = try catalogue.name(for: request)
        let places = WordPlaces(request.text)
        guard !places.isEmpty else { return }
        let prosody = Prosody(rate: request.rate, pitch: request.pitch)
        try EspeakLibrary.shared.withLock { library in
            try library.select(name, prosody)
            try output.begin(sampleRate: library.sampleRate)
            var utterance = Utterance(places: places)
            try library.speak(request.text, as: &utterance, to: output)
        }
    }
}
