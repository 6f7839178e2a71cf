import EngineKit
import ONNXInference
import Phonemes

/// One caller of the model.
struct KokoroLane: SpeechLane {
    let model: KokoroModel

    func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws {
        let styles = try request.voices.map { (table: try model.styles.table(of: $0), weight: $0.weight) }
        var text = try SpokenText(request, lexicon: model.lexicon)
        let speed = model.contract.speed(for: request.rate)
        if speed != request.rate {
            EngineLog.warning("This model knows whole speeds only; \(request.rate) becomes \(speed).")
        }
        var plan = ChunkPlan()
        var chunk = try plan.next { () throws(EngineError) in try text.next() }
        var isFirst = true
        while let current = chunk {
            EngineLog.debug("ids 0 \(current.tokens.map(String.init).joined(separator: " ")) 0")
            let outputs = try run(current, styles, speed: speed, for: output)
            chunk = try plan.next { () throws(EngineError) in try text.next() }
            if isFirst { try output.begin(sampleRate: KokoroContract.sampleRate) }
            try hand(outputs, current, isFirst: isFirst, isLast: chunk == nil, speed, request.wants, to: output)
            isFirst = false
        }
        report(text.unknown)
        // All sound is handed over; the process may end with this request.
        model.session.finishCache()
    }

    private func run(
        _ chunk: Chunk, _ styles: [(table: StyleTable, weight: Float)], speed: Float, for output: borrowing SpeechOutput
    ) throws -> [InferenceOutput] {
        let tokens = chunk.tokens
        let style = StyleTable.blend(styles, forTokens: tokens.count)
        let inputs = model.contract.inputs(tokens: tokens, style: style, speed: speed)
        let names = [model.contract.audio] + (model.contract.durations.map { [$0] } ?? [])
        do {
            let run = try InferenceRun()
            return try output.interrupting(run.terminate) {
                try model.session.run(inputs, outputs: names, as: run)
            }
        } catch let error as InferenceError {
            throw KokoroFailure.of(error)
        }
    }

    private func hand(
        _ outputs: [InferenceOutput], _ chunk: Chunk, isFirst: Bool, isLast: Bool, _ speed: Float,
        _ wants: EventKinds, to output: borrowing SpeechOutput
    ) throws {
        var samples = try samples(outputs[0])
        let isInner = model.contract.durations == model.session.exposed
        let times = outputs.dropFirst().first?.doubles().flatMap { durations in
            // No token is shorter than one frame; the inner tensor is what stands before that.
            TokenTimes(
                durations: isInner ? durations.map { max($0, 1) } : durations,
                tokenCount: chunk.count, frameCount: samples.count)
        }
        let sound = samples.withUnsafeBufferPointer { Seam.sound(of: $0, atBeginning: !isFirst, atEnd: !isLast) }
        samples = Array(samples[sound])
        Seam.soften(&samples, atBeginning: !isFirst, atEnd: !isLast)
        try tell(chunk, times, sound, wants, to: output)
        try output.write(samples)
        if !isLast {
            let pause = Seam.pause(behind: chunk.symbols, rate: speed)
            try output.write([Float](repeating: 0, count: pause))
        }
    }

    private func samples(_ output: InferenceOutput) throws(EngineError) -> [Float] {
        guard let samples = output.withFloats({ Array($0) }) ?? output.doubles()?.map({ Float($0) }),
            samples.allSatisfy(\.isFinite)
        else { throw KokoroFailure.model("makes samples that are no numbers") }
        return samples
    }

    /// - Parameter sound: What is heard of the model's frames.
    private func tell(
        _ chunk: Chunk, _ times: TokenTimes?, _ sound: Range<Int>, _ wants: EventKinds,
        to output: borrowing SpeechOutput
    ) throws {
        let start = output.frame
        func heard(_ frames: Range<Int>) -> (start: UInt64, count: UInt64) {
            let inside = frames.clamped(to: sound)
            return (start + UInt64(inside.lowerBound - sound.lowerBound), UInt64(inside.count))
        }
        if wants.contains(.sentences) {
            for sentence in chunk.sentences {
                guard let times else {
                    // Without durations only the first one's moment is known.
                    if sentence.symbol == 0 { try output.sentence(sentence.bytes, at: start) }
                    continue
                }
                let frames = heard(times.frames(of: sentence.symbol..<sentence.symbol + 1))
                try output.sentence(sentence.bytes, at: sentence.symbol == 0 ? start : frames.start)
            }
        }
        guard let times, wants.contains(.words) else { return }
        for word in chunk.words {
            let frames = heard(times.frames(of: word.symbols))
            try output.word(word.bytes, at: frames.start, frameCount: frames.count)
        }
    }

    private func report(_ unknown: [Unicode.Scalar: Int]) {
        guard !unknown.isEmpty else { return }
        let list = unknown.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8)
            .map { "“\($0.key)” ×\($0.value)" }.joined(separator: ", ")
        EngineLog.warning("Left out what Kokoro has no sound for: \(list).")
    }
}
