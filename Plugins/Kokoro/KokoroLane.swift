import Dispatch
import EngineKit
import SynthEnglish
import SynthInference
import SynthSymbols

/// A lane, which speaks for one caller at a time. All lanes share the model and its queue.
struct KokoroLane: SpeechLane {
    let model: CachedSession
    let queue: InferenceQueue
    let contract: KokoroContract
    let styles: StyleCache
    let lexicons: Lexicons
    let english: EnglishReaders

    func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws {
        let styles = try request.voices.map { (table: try self.styles.table(of: $0), weight: $0.weight) }
        var text = try SymbolText(request, lexicons: lexicons, english: english)
        let session = model.session
        var plan = ChunkPlan(.kokoro)
        var chunk = try plan.next { try text.next() }
        var isFirst = true
        while let current = chunk {
            EngineLog.debug("ids 0 \(current.tokens.map(String.init).joined(separator: " ")) 0")
            if request.wantsOnlyEvents {
                if isFirst { try output.begin(sampleRate: KokoroContract.sampleRate) }
                try output.tell(ChunkEvents.list(of: current, wanted: request.wants))
                isFirst = false
                chunk = try plan.next { try text.next() }
                continue
            }
            let outputs = try run(session, current, styles, for: output)
            chunk = try plan.next { try text.next() }
            if isFirst { try output.begin(sampleRate: KokoroContract.sampleRate) }
            try hand(outputs, current, isFirst: isFirst, isLast: chunk == nil, request.wants, to: output)
            isFirst = false
        }
        EngineLog.warn(ofSkipped: text.unknown, without: "a Kokoro symbol")
        // All audio has been written. Finish writing the cache entry now, because the process may exit after this
        // request.
        let over = DispatchSemaphore(value: 0)
        try output.interrupting({ over.signal() }) { model.finishCache(session, until: over) }
    }

    private func run(
        _ session: InferenceSession, _ chunk: Chunk, _ styles: [(table: StyleTable, weight: Float)],
        for output: borrowing SpeechOutput
    ) throws -> [InferenceOutput] {
        let tokens = chunk.tokens
        let style = StyleTable.blend(styles, forTokens: tokens.count)
        let inputs = contract.inputs(tokens: tokens, style: style)
        let names = [contract.audio] + (contract.durations.map { [$0] } ?? [])
        do {
            let run = try InferenceRun()
            return try output.interrupting(run.terminate) {
                try queue.run(as: run) { () throws(InferenceError) in
                    try session.run(inputs, outputs: names, as: run)
                }
            }
        } catch let error as InferenceError {
            throw KokoroFailure.of(error)
        }
    }

    private func hand(
        _ outputs: [InferenceOutput], _ chunk: Chunk, isFirst: Bool, isLast: Bool,
        _ wants: EventKinds, to output: borrowing SpeechOutput
    ) throws {
        var samples = try samples(outputs[0])
        let times = outputs.dropFirst().first?.doubles().flatMap { durations in
            // Every token lasts at least one frame, but the intermediate tensor contains the durations before that
            // minimum is applied.
            TokenTimes(
                durations: contract.hasInnerDurations ? durations.map { max($0, 1) } : durations,
                symbols: chunk.symbols, frameCount: samples.count, lead: TokenTimes.lead)
        }
        let sound = samples.withUnsafeBufferPointer {
            RunEdges.audible(in: $0, isFirst: isFirst, isLast: isLast)
        }
        // Do not fade an edge that was not cut, because the model's audio already starts or ends there.
        let (isCut, isCutAtEnd) = (sound.lowerBound > 0, sound.upperBound < samples.count)
        samples = Array(samples[sound])
        RunEdges.fade(&samples, atBeginning: !isFirst || isCut, atEnd: !isLast || isCutAtEnd)
        try output.tell(ChunkEvents.events(of: chunk, times, sound: sound, wanted: wants))
        try output.write(samples)
        if !isLast {
            let pause = RunEdges.pause(after: chunk.symbols)
            try output.write([Float](repeating: 0, count: pause))
        }
    }

    private func samples(_ output: InferenceOutput) throws(EngineError) -> [Float] {
        guard let samples = output.withFloats({ Array($0) }) ?? output.doubles()?.map({ Float($0) }),
            samples.allSatisfy(\.isFinite)
        else { throw KokoroFailure.model("returns samples that are not finite numbers") }
        return samples
    }
}
