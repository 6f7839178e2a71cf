package import EngineKit
import SynthEnglish
import SynthSymbols

/// A lane, which speaks for one caller at a time.
package final class HibariLane: SpeechLane {
    /// The voices were trained on inputs of fewer than 400 symbols. Sentences are not joined, because these voices
    /// speak single words as naturally as long sentences.
    private static let lengths = RunLengths(limit: 380, enough: 1, few: 0)

    private let run: HibariRun
    private let readers: EnglishReaders

    init(run: HibariRun, readers: EnglishReaders) {
        self.run = run
        self.readers = readers
    }

    package func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws {
        let accent = try EnglishAccent(voice: request.voice.id, tag: request.language)
        var text = HibariText(request.text, request.kind, try readers.reader(of: accent))
        var plan = ChunkPlan(Self.lengths)
        var position = 0
        var chunk = plan.next { text.next() }
        while let current = chunk {
            try speak(current, position, request, to: output)
            position += 1
            chunk = plan.next { text.next() }
            if chunk != nil, !request.wantsOnlyEvents {
                let pause = Float(RunEdges.pause(after: current.symbols)) / request.rate
                try output.write([Float](repeating: 0, count: Int(pause)))
            }
        }
    }

    private func speak(
        _ chunk: Chunk, _ position: Int, _ request: SpeechRequest, to output: borrowing SpeechOutput
    ) throws {
        let symbols = [SymbolSet.pad] + chunk.tokens.map { Int32($0) } + [SymbolSet.pad]
        EngineLog.debug("ids \(symbols.map(String.init).joined(separator: " "))")
        if request.wantsOnlyEvents {
            if position == 0 { try output.begin(sampleRate: HibariRun.sampleRate) }
            return try output.tell(ChunkEvents.list(of: chunk, wanted: request.wants))
        }
        let seed = NoiseSeed.of(symbols, position: position, variation: request.variation)
        let hasCurve = !request.pitchPoints.isEmpty
        let pitch = request.isWhispered ? 0 : hasCurve ? 1 : request.pitch
        var durations = try run.begin(symbols, seed: seed, pitch: pitch, isAwaited: request.isAwaited)
        if request.rate != 1 {
            durations = SpokenRate.durations(durations, rate: request.rate)
            try run.set(durations)
        }
        let times = TokenTimes(
            durations: durations.map(Double.init), symbols: chunk.symbols, frameCount: run.sampleCount,
            lead: TokenTimes.lead / Double(request.rate))
        if hasCurve, !request.isWhispered {
            let curve = times.flatMap { PitchPositions(chunk, $0).curve(request.pitchPoints) }
            // Curve points can be mapped to frames only if word positions are known. If not, the request's pitch
            // applies to the entire run.
            try run.set(curve ?? PitchCurve(points: [.init(frame: 0, factor: request.pitch)]))
        }
        if request.intonation != 1, !request.isWhispered { run.set(intonation: request.intonation) }
        if position == 0 { try output.begin(sampleRate: HibariRun.sampleRate) }
        var sound = RunSound(durations, sampleCount: run.sampleCount, rate: request.rate)
        try sound.begin(run, isAwaited: request.isAwaited)
        let events = ChunkEvents.events(of: chunk, times, sound: sound.audible, wanted: request.wants)
        try output.tell(events)
        sound.keep(until: events.map(\.frames.upperBound).max() ?? 0)
        while let piece = try sound.next(of: run) {
            if piece.isEmpty { try output.check() } else { try output.write(piece) }
        }
    }
}

/// The compute core's symbol IDs.
enum SymbolSet {
    static let pad = Int32(SymbolTable.pad)
    static let largest = Int(SymbolTable.ids.values.max() ?? 0)
}
