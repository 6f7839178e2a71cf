import Foundation
import SynthListening
import Testing
import TestNumbers

@Suite("Cutting audio at pauses")
struct PauseCutterTests {
    private func pieces(_ samples: [Float], longest: Double = 5, by count: Int = 1600) -> [PauseCutter.Piece] {
        var cutter = PauseCutter(rate: GeneratedAudio.rate, longest: longest)
        var pieces: [PauseCutter.Piece] = []
        for start in stride(from: 0, to: samples.count, by: count) {
            pieces += cutter.add(samples[start..<min(start + count, samples.count)])
        }
        return pieces + [cutter.finish()].compactMap(\.self)
    }

    @Test("No audio is lost and no word is cut, either in silence or in noise", arguments: 0..<20)
    func pauses(seed: UInt64) {
        for noise: Float in [0, 0.02] {
            var sound = GeneratedAudio(seed)
            var random = SeededRandom(seed)
            for _ in 0..<12 {
                sound.speak(.random(in: 0.3...1.8, using: &random))
                sound.rest(.random(in: 0.3...0.6, using: &random))
            }
            if noise > 0 { sound.addNoise(noise) }
            let pieces = pieces(sound.samples)
            #expect(pieces.flatMap(\.samples) == sound.samples && pieces.count > 2)
            #expect(pieces.allSatisfy { $0.samples.count <= 80_000 })
            var start = 0
            for piece in pieces {
                #expect(piece.start == start)
                start = piece.end
                #expect(!sound.speech.contains { $0.contains(start) && start != $0.lowerBound }, "cut at \(start)")
            }
        }
    }

    @Test("The cuts do not depend on the chunk size", arguments: [160, 7, 1_000_000])
    func alike(count: Int) {
        let samples =
            GeneratedAudio.sentences(5, noise: 0.01).samples + GeneratedAudio.sentences(6, noise: 0.01).samples
        #expect(pieces(samples, by: count) == pieces(samples))
    }

    @Test("Audio without pauses is also cut, unless it is short")
    func endless() {
        let pieces = pieces([Float](repeating: 0.5, count: 400_000))
        #expect(pieces.count >= 5 && pieces.allSatisfy { $0.samples.count <= 80_000 })
        #expect(self.pieces([Float](repeating: 0.5, count: 80_000)).count == 1)
        #expect(self.pieces([]).isEmpty)
    }
}
