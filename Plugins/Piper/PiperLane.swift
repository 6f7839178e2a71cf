import EngineKit
import ONNXInference
import Phonemes

/// One caller of a voice.
struct PiperLane: SpeechLane {
    private let configuration: PiperConfiguration
    private let frontEnd: PiperFrontEnd
    private let session: InferenceSession
    private let contract: PiperContract
    private let queue: InferenceQueue

    init(
        configuration: PiperConfiguration, frontEnd: PiperFrontEnd, session: InferenceSession, contract: PiperContract
    ) {
        self.configuration = configuration
        self.frontEnd = frontEnd
        self.session = session
        self.contract = contract
        queue = InferenceQueue(session)
    }

    func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws {
        let speaker = try configuration.speaker(request.voice.speaker)
        var unknown: [Unicode.Scalar: Int] = [:]
        var hasBegun = false
        for sentence in try frontEnd.sentences(of: request) where !sentence.isSilent {
            for phrase in Phrase.phrases(of: sentence, silences: frontEnd.silences) {
                let ids = frontEnd.map.ids(of: sentence.part(phrase.symbols))
                unknown.merge(ids.unknown) { $0 + $1 }
                EngineLog.debug("ids \(ids.ids.map(String.init).joined(separator: " "))")
                let outputs = try run(ids.ids, speaker, request, for: output)
                if !hasBegun {
                    try output.begin(sampleRate: configuration.sampleRate)
                    hasBegun = true
                }
                try hand(outputs, ids, phrase, of: sentence, request, to: output)
            }
        }
        report(unknown)
        // All sound is handed over, and the process may end after this request.
        session.finishCache()
    }

    private func run(
        _ ids: [Int64], _ speaker: Int64, _ request: SpeechRequest, for output: borrowing SpeechOutput
    ) throws -> [InferenceOutput] {
        let inputs = contract.inputs(
            ids: ids, speaker: speaker, noise: configuration.noiseScale * request.variation,
            length: configuration.lengthScale / request.rate, width: configuration.noiseWidth * request.variation)
        let names = [contract.audio] + (contract.durations.map { [$0] } ?? [])
        do {
            let run = try InferenceRun()
            return try output.interrupting(run.terminate) {
                try queue.run(inputs, outputs: names, as: run)
            }
        } catch let error as InferenceError {
            throw PiperFailure.of(error)
        }
    }

    private func hand(
        _ outputs: [InferenceOutput], _ ids: PhonemeIDs, _ phrase: Phrase, of sentence: PhonemeSentence,
        _ request: SpeechRequest, to output: borrowing SpeechOutput
    ) throws {
        let timeline = outputs.dropFirst().first?.doubles().flatMap {
            Timeline(ids, durations: $0, frameCount: outputs[0].count)
        }
        let needsWords = timeline != nil && !request.wants.isDisjoint(with: [.words, .phonemes])
        let words = try needsWords ? frontEnd.words(of: sentence, around: phrase.symbols, in: request) : []
        let events = PhraseEvents.events(of: phrase, in: sentence, words, timeline, wanted: request.wants)
        let start = output.frame
        for event in events {
            switch event.kind {
            case .sentence: try output.sentence(event.bytes, at: start + event.frames.lowerBound)
            case .word:
                try output.word(
                    event.bytes, at: start + event.frames.lowerBound, frameCount: UInt64(event.frames.count))
            case .phoneme(let ipa):
                try output.phoneme(
                    ipa, bytes: event.bytes, at: start + event.frames.lowerBound, frameCount: UInt64(event.frames.count)
                )
            }
        }
        let isWhole = try outputs[0].withFloats { samples in
            guard samples.allSatisfy(\.isFinite) else { return false }
            try output.write(samples.span)
            return true
        }
        guard isWhole == true else { throw PiperFailure.model("makes samples that are no numbers") }
        if phrase.silence > 0 { try output.write([Float](repeating: 0, count: phrase.silence)) }
    }

    private func report(_ unknown: [Unicode.Scalar: Int]) {
        guard !unknown.isEmpty else { return }
        let list = unknown.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8)
            .map { "“\($0.key)” ×\($0.value)" }.joined(separator: ", ")
        EngineLog.warning("Left out what this voice has no sound for: \(list).")
    }
}
