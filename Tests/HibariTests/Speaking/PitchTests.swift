import CSynthEngine
import CSynthHibari
import EngineKit
import Glibc
import SynthSymbols
import Testing
import TestSupport

@testable import SynthHibari

/// A run's trace, frame by frame.
private struct Trace {
    /// The fundamental frequency in hertz.
    var pitch: [Float]
    /// Five spectral parts with 601 numbers each.
    var parts: [Float]
    var samples: [Float]
}

@Suite("Pitch of a small voice") struct PitchTests {
    private static let symbols: [Int32] = [0, 50, 83, 54, 156, 57, 16, 65, 87, 123, 54, 46, 4, 0]
    private let run: HibariRun

    init() throws {
        let folder = try TemporaryFolder()
        run = try HibariRun(HibariWeights(path: try folder.write(SmallVoice().bytes, to: "voice.onnx")))
    }

    private func trace(pitch: Float = 1, _ curve: PitchCurve = .level, intonation: Float = 1) throws -> Trace {
        _ = try run.begin(Self.symbols, seed: 3, pitch: pitch)
        try run.set(curve)
        if intonation != 1 { run.set(intonation: intonation) }
        let frames = run.sampleCount / HibariRun.frameLength
        var trace = Trace(
            pitch: [Float](repeating: -1, count: frames),
            parts: [Float](repeating: -1, count: frames * 5 * Int(HB_BINS)), samples: [])
        try trace.pitch.withUnsafeMutableBufferPointer { pitch in
            try trace.parts.withUnsafeMutableBufferPointer { parts in
                hb_run_set_trace(
                    run.pointer, hb_trace(pitch: pitch.baseAddress, parts: parts.baseAddress, frames: frames))
                while try run.next(frames: 7, into: &trace.samples) {}
            }
        }
        return trace
    }

    @Test(
        "The pitch changes at the source without affecting the spectral parts",
        arguments: [-12, -6, 6, 12] as [Float])
    func factor(semitones: Float) throws {
        let own = try trace()
        #expect(own.pitch.contains { $0 > 100 } && !own.pitch.contains(-1))
        let factor = exp2(semitones / 12)
        let changed = try trace(pitch: factor)
        for (before, after) in zip(own.pitch, changed.pitch) { #expect(abs(after - before * factor) <= 0.001 * before) }
        #expect(changed.parts == own.parts)
        #expect(changed.samples != own.samples && changed.samples.count == own.samples.count)
    }

    @Test("In a whisper, the pitch is 0 everywhere, and the spectral parts do not change")
    func whisper() throws {
        let own = try trace()
        let whisper = try trace(pitch: 0)
        #expect(whisper.pitch.allSatisfy { $0 == 0 } && whisper.parts == own.parts)
        #expect(whisper.samples.contains { $0 != 0 } && whisper.samples != own.samples)
    }

    @Test("Intonation scales the pitch around its mean", arguments: [0, 0.5, 2] as [Float])
    func intonation(scale: Float) throws {
        let own = try trace()
        let changed = try trace(intonation: scale)
        let mean = exp(own.pitch.reduce(0) { $0 + log($1) } / Float(own.pitch.count))
        for (before, after) in zip(own.pitch, changed.pitch) {
            let wanted = mean * pow(before / mean, scale)
            #expect(abs(after - wanted) < 0.002 * wanted)
        }
        #expect(Set(own.pitch).count > 10 && changed.parts == own.parts && changed.samples.count == own.samples.count)
    }

    @Test("A step changes the pitch only after the position of the step")
    func step() throws {
        let own = try trace()
        let curve = PitchCurve(points: [
            .init(frame: 0, factor: 1), .init(frame: 20, factor: 1), .init(frame: 20, factor: 1.5),
        ])
        let changed = try trace(curve)
        #expect(changed.pitch[..<20] == own.pitch[..<20] && changed.parts == own.parts)
        for (before, after) in zip(own.pitch[20...], changed.pitch[20...]) { #expect(abs(after - before * 1.5) < 0.01) }
        // A window of audio extends two frames in either direction, and a pitch value affects the interpolation up to
        // the next frame.
        let same = zip(own.samples, changed.samples).prefix { $0 == $1 }.count
        #expect((16...20).contains(same / HibariRun.frameLength))
    }

    /// Two words of three symbols, preceded by a lead of four units. Each symbol lasts two units.
    private func places() throws -> PitchPositions {
        var sentence = SpokenSentence(bytes: 0..<8)
        sentence.append(word: ["a", "b", "c"], from: 0..<3)
        sentence.append(SpokenSentence.space)
        sentence.append(word: ["d", "e", "f"], from: 4..<8)
        var chunk = Chunk()
        chunk.append(sentence, isBeginning: true)
        let durations: [Double] = [4, 2, 2, 2, 2, 2, 2, 2, 4]
        let count = 22 * HibariRun.unitLength
        return PitchPositions(
            chunk, try #require(TokenTimes(durations: durations, symbols: chunk.symbols, frameCount: count, lead: 0)))
    }

    @Test("Pitch points are placed where the corresponding words are spoken")
    func points() throws {
        let places = try places()
        func points(_ points: (Int, Float)...) -> [[Float]] {
            let curve = places.curve(points.map { PitchPoint(textOffset: $0.0, factor: $0.1) })
            return (curve?.points ?? []).map { [Float($0.frame), $0.factor] }
        }
        // The first word lasts from frame 8 to frame 22, and the second lasts until frame 36.
        #expect(points((0, 2)) == [[8, 2]])
        #expect(points((3, 1), (3, 2)) == [[8, 1], [22, 1], [22, 2]])
        #expect(points((0, 1), (4, 1), (4, 0.5)) == [[8, 1], [22, 1], [22, 0.5]])
        #expect(points((0, 1), (6, 2), (8, 1)) == [[8, 1], [29, 2], [36, 1]])
        // A run that covers part of a text starts and ends between two points.
        #expect(points((-8, 0.5), (8, 2)) == [[8, 1], [36, 2]])
        #expect(points((0, 1), (16, 4)) == [[8, 1], [36, 2]])
        #expect(points((12, 3), (16, 4)) == [[8, 3], [36, 3]])
    }

    @Test("Without word positions, there are no pitch points")
    func noWords() throws {
        let times = try #require(TokenTimes(durations: [1, 1], symbols: [], frameCount: 1200, lead: 0))
        #expect(PitchPositions(Chunk(), times).curve([PitchPoint(textOffset: 0, factor: 2)]) == nil)
    }
}

@Suite("Pitch requests to the Hibari engine") struct EnginePitchTests {
    private let voice: SmallVoiceUnderTest

    init() throws { voice = try SmallVoiceUnderTest() }

    @Test("Pitch points change the pitch of a sentence without moving its words")
    func step() throws {
        let own = try voice.speak("Hello, hello world.")
        let changed = try voice.speak("Hello, hello world.") { $0.pitchPoints = [(7, 1), (7, 1.5)] }
        #expect(changed.violations.isEmpty && changed.words == own.words)
        #expect(changed.events.map(\.frame) == own.events.map(\.frame))
        let start = Int(own.events.filter { $0.kind == SYNTH_WORD.rawValue }[1].frame)
        let same = zip(own.samples, changed.samples).prefix { $0 == $1 }.count
        #expect(abs(same - start) < 5 * HibariRun.frameLength && same < own.samples.count, "\(same) \(start)")
    }

    @Test("Points with a constant factor are equivalent to that factor in all runs of a long text")
    func constant() throws {
        let text = "Hello, world. " + String(repeating: "hello world, ", count: 40)
        let own = try voice.speak(text) { $0.pitch = 1.25 }
        let points = try voice.speak(text) { $0.pitchPoints = [(0, 1.25), (200, 1.25)] }
        #expect(own.samples == points.samples && own.samples.count > 48_000)
    }

    @Test("A whisper is the same at any pitch")
    func whisper() throws {
        let own = try voice.speak("Hello, world.")
        let whisper = try voice.speak("Hello, world.") { $0.flags = SYNTH_WHISPERED.rawValue }
        let high = try voice.speak("Hello, world.") {
            $0.flags = SYNTH_WHISPERED.rawValue
            $0.pitchPoints = [(0, 2), (9, 0.5)]
        }
        let monotone = try voice.speak("Hello, world.") { $0.intonation = -1 }
        #expect(monotone.samples != own.samples && monotone.events.map(\.frame) == own.events.map(\.frame))
        #expect(whisper.samples != own.samples && whisper.samples == high.samples && whisper.words == own.words)
    }
}
