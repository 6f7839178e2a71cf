import Dispatch
import EngineKit
import SynthInference
import SynthPhonemes
import SynthSymbols

/// A lane, which speaks for one caller at a time.
struct PiperLane: SpeechLane {
    private let configuration: PiperConfiguration
    private let frontEnd: PiperFrontEnd
    private let voice: PiperInference
    private let queue = InferenceQueue()

    init(configuration: PiperConfiguration, frontEnd: PiperFrontEnd, voice: PiperInference) {
        self.configuration = configuration
        self.frontEnd = frontEnd
        self.voice = voice
    }

    func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws {
        let speaker = try configuration.speaker(request.voice.speaker)
        let session = voice.model.session
        var unknown: [Unicode.Scalar: Int] = [:]
        var hasBegun = false
        for sentence in try frontEnd.sentences(of: request) where !sentence.isSilent {
            // If the voice cannot run in parts, its audio starts early only if the first run is short.
            let isCutEarly = request.isAwaited && !session.runsInParts && !hasBegun
            let phrases = Phrase.phrases(of: sentence, silences: frontEnd.silences, isCutEarly: isCutEarly)
            for phrase in phrases {
                let ids = frontEnd.map.ids(of: sentence.part(phrase.symbols))
                unknown.merge(ids.unknown) { $0 + $1 }
                EngineLog.debug("ids \(ids.ids.map(String.init).joined(separator: " "))")
                if request.wantsOnlyEvents {
                    if !hasBegun { try output.begin(sampleRate: configuration.sampleRate) }
                    hasBegun = true
                    let units = [Double](repeating: 1, count: ids.ids.count)
                    let order = Timeline(ids, durations: units, frameCount: units.count)
                    try tell(order, phrase, of: sentence, request, to: output)
                    continue
                }
                let sound = try PhraseSound(
                    session, voice.contract, inputs: inputs(ids.ids, speaker, request),
                    isAwaited: request.isAwaited, on: queue, for: output)
                if !hasBegun {
                    try output.begin(sampleRate: configuration.sampleRate)
                    hasBegun = true
                }
                let timeline = sound.durations.flatMap {
                    Timeline(ids, durations: $0, frameCount: sound.sampleCount)
                }
                try tell(timeline, phrase, of: sentence, request, to: output)
                try sound.write(sampleRate: configuration.sampleRate, on: queue, to: output)
                if phrase.silence > 0 { try output.write([Float](repeating: 0, count: phrase.silence)) }
            }
        }
        EngineLog.warn(ofSkipped: unknown, without: "a symbol in this voice")
        // All audio has been written. Finish writing the cache entry now, because the process may exit after this
        // request.
        let over = DispatchSemaphore(value: 0)
        try output.interrupting({ over.signal() }) { voice.model.finishCache(session, until: over) }
    }

    private func inputs(
        _ ids: [Int64], _ speaker: Int64, _ request: SpeechRequest
    ) -> [(name: String, tensor: InferenceTensor)] {
        voice.contract.inputs(
            ids: ids, speaker: speaker, noise: configuration.noiseScale * request.variation,
            length: configuration.lengthScale, width: configuration.noiseWidth * request.variation)
    }

    private func tell(
        _ timeline: Timeline?, _ phrase: Phrase, of sentence: PhonemeSentence, _ request: SpeechRequest,
        to output: borrowing SpeechOutput
    ) throws {
        let needsWords = timeline != nil && !request.wants.isDisjoint(with: [.words, .phonemes])
        let words = try needsWords ? frontEnd.words(of: sentence, around: phrase.symbols, in: request) : []
        let events = PhraseEvents.events(of: phrase, in: sentence, words, timeline, wanted: request.wants)
        // If no audio is requested, only the order of events matters.
        try output.tell(request.wantsOnlyEvents ? events.map(\.withoutTime) : events)
    }
}
