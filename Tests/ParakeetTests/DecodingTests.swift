import EngineKit
import Foundation
import SynthRecognizerParts
import Testing

@testable import SynthParakeet

/// Predicts specific tokens at each frame, each with the number of frames to skip.
private struct Script: TokenPredictor {
    let count: Int
    let durations: Int
    /// The tokens of a frame in order, followed by a blank with a skip of 0.
    var frames: [Int: [(token: Int, skip: Int)]]
    var said: [Int] = []
    var asked: [Int] = []

    mutating func scores(at frame: Int) throws(EngineError) -> [Float] {
        asked.append(frame)
        let next = frames[frame]?.isEmpty == false ? frames[frame]?.removeFirst() : nil
        var scores = [Float](repeating: 0, count: count + durations)
        scores[next?.token ?? count - 1] = 2
        if durations > 0 { scores[count + (next?.skip ?? 0)] = 1 }
        return scores
    }

    mutating func say(_ token: Int) { said.append(token) }
}

@Suite("The decoding loop") struct TokenLoopTests {
    private func find(
        _ frames: [Int: [(token: Int, skip: Int)]], of count: Int, durations: Int = 5, most: Int = 3
    ) throws -> (found: [FoundToken], script: Script) {
        let vocabulary = try Fixture.vocabulary()
        var script = Script(count: vocabulary.count, durations: durations, frames: frames)
        let found = try TokenLoop(vocabulary: vocabulary, maximumTokensPerFrame: most).find(count, with: &script)
        return (found, script)
    }

    @Test(
        "The loop skips the predicted number of frames after a token and one frame after a blank with a prediction of 0"
    ) func skips() throws {
        let (found, script) = try find([0: [(3, 0), (4, 2)], 2: [(26, 4)], 6: [(5, 1)]], of: 8)
        #expect(
            found.map(\.token) == [3, 4, 5] && found.map(\.frame) == [0, 0, 6] && found.map(\.frames) == [0, 2, 1])
        #expect(script.said == [3, 4, 5] && script.asked == [0, 0, 2, 6, 7])
        let likely = exp(2.0) / (exp(2.0) + 26)
        #expect(found.allSatisfy { abs($0.probability - likely) < 1e-9 })
    }

    @Test("The loop advances after the maximum number of tokens per frame and ends after the last frame")
    func most() throws {
        let (found, script) = try find([0: [(1, 0), (1, 0), (1, 0), (1, 0)], 1: [(2, 4)]], of: 2)
        #expect(found.map(\.token) == [1, 1, 1, 2] && script.asked == [0, 0, 0, 1])
    }

    @Test("For a model without durations, the loop advances frame by frame") func plain() throws {
        let (found, script) = try find([1: [(6, 0), (7, 0)]], of: 3, durations: 0)
        #expect(found.map(\.token) == [6, 7] && script.asked == [0, 1, 1, 1, 2])
    }

    @Test("A phrase's token is selected only where the model predicts a token and never in silence")
    func phrases()
        throws
    {
        let vocabulary = try Fixture.vocabulary()
        for (bonus, expected) in [(1.0, [3, 4]), (2.5, [5, 6])] {
            var tree = PhraseTree(token: bonus, letter: 0.1)
            tree.add("x", tokens: { _ in [5, 6] }, bytes: { $0 == 6 ? [0x61] : [] })
            var script = Script(
                count: vocabulary.count, durations: 5,
                frames: [0: [(3, 1)], 2: [(vocabulary.count - 1, 1)], 3: [(4, 1)]])
            var loop = TokenLoop(vocabulary: vocabulary, maximumTokensPerFrame: 3)
            loop.phrases = tree
            let found = try loop.find(5, with: &script)
            #expect(found.map(\.token) == expected && found.map(\.frame) == [0, 3] && script.said == expected)
            // The probability is the model's.
            #expect(found.allSatisfy { $0.probability < (bonus > 2 ? 0.1 : 1) })
        }
    }

    @Test("Pairs of tokens in a word are merged in the order of their IDs") func spelling() throws {
        let table = try TokenVocabulary(Array("▁ 0\na 1\nb 2\nc 3\nab 4\n▁a 5\nbc 6\n▁ab 7\n<blk> 8\n".utf8))
        #expect(table.tokens(of: " abc") == [7, 3] && table.tokens(of: "abc") == [4, 3])
        #expect(table.tokens(of: " a abc") == [5, 7, 3])
        #expect(table.tokens(of: " axc") == nil && table.tokens(of: "") == nil)
        #expect(table.tokens(of: String(repeating: "a", count: 65)) == nil)
    }

    @Test("Invalid scores are rejected") func refused() throws {
        struct Broken: TokenPredictor {
            let scores: [Float]
            mutating func scores(at frame: Int) throws(EngineError) -> [Float] { scores }
            mutating func say(_ token: Int) {}
        }
        let loop = TokenLoop(vocabulary: try Fixture.vocabulary(), maximumTokensPerFrame: 10)
        for scores in [
            [], [Float](repeating: 0, count: 5), [Float](repeating: 0, count: 8198),
            [Float](repeating: .nan, count: 32),
        ] {
            var broken = Broken(scores: scores)
            #expect(throws: EngineError.self) { try loop.find(3, with: &broken) }
        }
    }
}

@Suite("Texts from tokens") struct SpokenTextTests {
    private func texts(_ words: [String], isOne: Bool = false) throws -> [RecognizedText] {
        let vocabulary = try TokenVocabulary(
            Array((words.enumerated().map { "\($1) \($0)\n" } + ["<blk> \(words.count)"]).joined().utf8))
        let tokens = words.indices.map {
            FoundToken(token: $0, frame: 2 * $0, frames: $0 % 3, probability: $0 == 1 ? 0.25 : 1)
        }
        return TokenText(vocabulary: vocabulary, samplesPerFrame: 1280).texts(
            tokens, in: 16_000..<80_000, isOne: isOne)
    }

    @Test("Each sentence becomes a text with its words and their positions") func sentences() throws {
        let found = try texts(["▁The", "▁qu", "ick", "▁fox", ".", "▁Ja", "▁", "!", "<|x|>", "<unk>", "▁x"])
        #expect(found.map(\.text) == ["The quick fox.", "Ja!", "x"])
        let first = try #require(found.first)
        #expect(first.words.map(\.bytes) == [0..<3, 4..<9, 10..<14])
        let starts = first.words.map { Int($0.frames.lowerBound) }
        #expect(starts == [16_000, 16_000 + 2 * 1280, 16_000 + 6 * 1280])
        // A word ends with its last token, but at least one frame after its start.
        #expect(
            first.words[0].frames.upperBound == 16_000 + 1280 && first.words[1].frames.upperBound == 16_000 + 6 * 1280)
        #expect(abs((first.words[1].confidence ?? 0) - 0.5) < 1e-6 && first.words[0].confidence == 1)
        #expect(first.frames == 16_000..<16_000 + 9 * 1280)
    }

    @Test("If a single text is expected, there is exactly one, or none for silence") func one() throws {
        #expect(try texts(["▁Yes", ".", "▁No", "."], isOne: true).map(\.text) == ["Yes. No."])
        #expect(try texts(["▁", "<|en|>", "<pad>"]).isEmpty)
        #expect(try texts([]).isEmpty)
    }
}

@Suite("Long audio") struct LongSoundTests {
    /// Returns the length of each window, in tenths of a second.
    private func windows(of sound: [Float], piece: Int = .max, partials: Bool = false) throws -> (
        lengths: [Int], partials: Int
    ) {
        let vocabulary = try Fixture.vocabulary()
        var (place, lengths, count, told) = (0, [Int](), 0, [Range<UInt64>]())
        var long = LongSound(TokenText(vocabulary: vocabulary, samplesPerFrame: 1280), wantsPartials: partials)
        try long.run(
            read: { most in
                let piece = sound[place..<min(sound.count, place + min(piece, most))]
                place = piece.endIndex
                return Array(piece)
            }, ready: { 0 },
            transcribe: { window in
                lengths.append(window.count)
                return [FoundToken(token: 0, frame: 0, frames: 1, probability: 1)]
            },
            tell: { event in
                switch event {
                case .partial: count += 1
                case .final(let text): told.append(text.frames)
                }
            })
        for (first, second) in zip(told, told.dropFirst()) { #expect(first.upperBound <= second.lowerBound) }
        return (lengths, count)
    }

    private func tone(_ seconds: Double) -> [Float] { Fixture.sound(seconds, 200, 0, 5) }
    private func pause(_ seconds: Double) -> [Float] { [Float](repeating: 0, count: Int(seconds * 16_000)) }

    @Test("Audio of 30 s is a single window, and longer audio is cut at its last pause") func cuts() throws {
        #expect(try windows(of: tone(30)).lengths == [480_000])
        let sound = tone(12) + pause(1) + tone(11) + pause(1) + tone(9)
        for piece in [Int.max, 777] {
            #expect(try windows(of: sound, piece: piece).lengths == [Int(24.5 * 16_000), Int(9.5 * 16_000)])
        }
    }

    @Test("Audio without pauses is cut in the last third of the window") func noPause() throws {
        let lengths = try windows(of: tone(31)).lengths
        #expect(lengths.count == 2 && (320_000...480_000).contains(lengths[0]) && lengths.reduce(0, +) == 31 * 16_000)
    }

    @Test("Words on which two results agree are kept with their positions, even across a cut") func stable() throws {
        let vocabulary = try TokenVocabulary(Array("▁a 0\n▁b 1\n▁c 2\nx 3\n▁d 4\n<blk> 5\n".utf8))
        /// One token every half second, starting at the first frame of the window.
        func found(_ tokens: [Int]) -> [FoundToken] {
            tokens.enumerated().map { FoundToken(token: $1, frame: 6 * $0, frames: 6, probability: 1) }
        }
        func run(_ seconds: Double, _ readings: [[Int]], cutAt pause: Double? = nil) throws -> (
            told: [String], finals: [RecognizedText]
        ) {
            var (readings, left, place) = (readings, Int(seconds * 16_000), 0)
            var (told, finals) = ([String](), [RecognizedText]())
            var long = LongSound(TokenText(vocabulary: vocabulary, samplesPerFrame: 1280), wantsPartials: true)
            try long.run(
                read: { most in
                    let count = min(most, left, 1600)
                    defer { (left, place) = (left - count, place + count) }
                    let quiet = pause.map { Int($0 * 16_000) } ?? -1
                    return (place..<place + count).map {
                        abs($0 - quiet) < 8000 ? 0 : 0.3 * Float(sin(0.08 * Double($0)))
                    }
                }, ready: { 0 }, transcribe: { _ in found(readings.isEmpty ? [] : readings.removeFirst()) },
                tell: { event in
                    switch event {
                    case .partial(let text, let stable):
                        told.append(String(decoding: text.text.utf8.prefix(stable), as: UTF8.self))
                    case .final(let text): finals.append(text)
                    }
                })
            return (told, finals)
        }
        for (readings, stable, text) in [
            ([[0], [0, 1], [0, 1, 2]], ["", "a"], "a b c"),
            // The last result lacks the stable words or has them at a different position.
            ([[0, 1], [0, 1, 2], [4, 4, 2]], ["", "a b"], "a b c"), ([[0, 1], [0, 1, 2], [4]], ["", "a b"], "a b"),
            ([[0, 1], [0, 1, 2], [4, 4, 4, 3, 2]], ["", "a b"], "a b dx c"),
            ([[0, 1], [4, 1], [4, 1, 2]], ["", ""], "d b c"),
        ] {
            let (told, finals) = try run(Double(readings.count) - 0.5, readings)
            #expect(told == stable && finals.map(\.text) == [text], "\(readings)")
        }
        // 31 s, cut at 20 s: 40 tokens precede the cut, and the second window begins with the remaining tokens.
        let long = (0..<60).map { $0 % 3 }
        let (told, finals) = try run(31, (1...29).map { Array(long[..<(2 * $0)]) } + [[], []], cutAt: 20)
        let words = long.map { ["a", "b", "c"][$0] }
        #expect(told.last == words[..<56].joined(separator: " "))
        #expect(finals.map(\.text).joined(separator: " ") == words[..<56].joined(separator: " "))
        let second = try #require(finals.last)
        #expect(finals.count == 2 && second.words.count < 20 && second.frames.lowerBound >= 19 * 16_000)
    }

    @Test("Partial texts are reported at most once per second") func partials() throws {
        let found = try windows(of: tone(3.5), partials: true)
        #expect(found.partials == 3 && found.lengths == [16_000, 32_000, 48_000, 56_000])
    }
}
