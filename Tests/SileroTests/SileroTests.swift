import CSynthEngine
import Foundation
import SynthInference
import Testing
import TestSupport

@testable import SynthSilero

@Suite("Speech boundaries") struct SpeechEdgesTests {
    private func edges(_ probabilities: [Float]) -> [SpeechEdges.Edge] {
        var edges = SpeechEdges()
        return probabilities.compactMap { edges.add($0) } + [edges.finish()].compactMap(\.self)
    }

    @Test("Speech starts at the first block with a high probability and ends where a pause of 0.3 s starts")
    func edges() {
        let pause = [Float](repeating: 0.3, count: 10)
        let (word, quiet): ([Float], [Float]) = ([0.1, 0.5, 0.9], [0.49, 0.49])
        #expect(edges(word + pause) == [.begins(1), .ends(3)])
        // A pause of 288 ms does not end the speech.
        let sentence: [Float] = word + pause.dropLast() + [0.35]
        #expect(edges(sentence + pause) == [.begins(1), .ends(13)])
        #expect(edges(quiet + pause).isEmpty)
        let again: [Float] = [0.4, 0.6, 0.36]
        #expect(edges(word + pause + again) == [.begins(1), .ends(3), .begins(14), .ends(16)])
    }

    @Test("Boundaries are reported as soon as they are known") func delay() {
        var edges = SpeechEdges()
        #expect(edges.add(0.6) == .begins(0))
        for _ in 0..<9 { #expect(edges.add(0) == nil) }
        #expect(edges.add(0) == .ends(1))
        #expect(edges.finish() == nil)
    }
}

/// Calls the engine's C table as a host does, with a model whose results the tests can compute.
@Suite("The speech detector") struct SileroTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = try TinyDetector.write(to: folder)
    }

    private func recognizer() throws -> LoadedRecognizer {
        typealias Entry = @convention(c) (UInt32, UnsafePointer<synth_host>?) -> UnsafePointer<synth_recognizer>?
        let library = try #require(dlopen("\(BuildFolder.path)/libSilero.so", RTLD_NOW | RTLD_LOCAL))
        let symbol = try #require(dlsym(library, "synth_recognizer_entry"))
        return try LoadedRecognizer(entry: unsafeBitCast(symbol, to: Entry.self))
    }

    @Test("The model receives the samples that precede a block, its own state, and the sample rate")
    func probabilities() throws {
        let sound = TinyDetector.sound(quiet: 3, tone: 5, quiet: 6, more: 100)
        var probability = SpeechProbability(try DetectorModel(path))
        for (place, expected) in TinyDetector.probabilities(of: sound).enumerated() {
            let block = Array(sound[place * 512..<min(sound.count, place * 512 + 512)])
            #expect(abs(Double(try probability.next(block)) - expected) < 1e-5, "block \(place)")
        }
    }

    @Test("The detector declares that it returns no text") func description() throws {
        let table = try recognizer().table.pointee
        #expect(table.sample_rate == 16_000)
        #expect(table.capabilities == SYNTH_CAN_DETECT_SPEECH.rawValue | SYNTH_RECOGNIZES_ALIKE.rawValue)
    }

    @Test("Speech is reported within half a second, and the result does not depend on how the audio is divided")
    func events() throws {
        let again = TinyDetector.sound(quiet: 0, tone: 6, quiet: 0, more: 30)
        let sound = TinyDetector.sound(quiet: 20, tone: 40, quiet: 30) + again
        let expected = TinyDetector.probabilities(of: sound)
        let last = try #require(expected.prefix(80).lastIndex { $0 >= 0.35 })
        let ear = try recognizer().load(files: ["model": path]).open()
        for (serial, piece) in [Int.max, 1, 700].enumerated() {
            var asked = TestRecognition(sound)
            (asked.piece, asked.serial) = (piece, UInt64(serial + 1))
            var late: [Int] = []
            let heard = ear.listen(asked) { record in
                if let event = record.events.last, late.count < record.events.count {
                    late.append(record.frame - Int(event.frame))
                }
                return true
            }
            #expect(heard.status == SYNTH_OK && heard.violations.isEmpty && heard.texts.isEmpty)
            let told = heard.events.map { ($0.begins ? 1 : -1) * Int($0.frame) }
            #expect(told == [20 * 512, -(last + 1) * 512, 90 * 512, -sound.count])
            #expect(late.count == 4 && late.allSatisfy { $0 < 8000 })
        }
    }

    @Test("Empty audio causes no events, and stopping ends the request") func stop() throws {
        let ear = try recognizer().load(files: ["model": path]).open()
        let none = ear.listen(TestRecognition([]))
        #expect(none.status == SYNTH_OK && none.events.isEmpty && none.violations.isEmpty)
        var asked = TestRecognition(TinyDetector.sound(quiet: 2, tone: 20, quiet: 30))
        asked.serial = 2
        let heard = ear.listen(asked, shouldContinue: { $0.events.isEmpty })
        #expect(heard.status == SYNTH_CANCELLED && heard.violations.isEmpty && heard.events.count == 1)
    }

    @Test("Other kinds of models are rejected with a message", arguments: TinyDetector.Fault.allCases)
    fileprivate func foreign(_ fault: TinyDetector.Fault) throws {
        let path = try TinyDetector.write(fault, to: folder)
        do {
            _ = try recognizer().load(files: ["model": path])
            Issue.record("The model should have been refused.")
        } catch let failure as ErrorReport.Failure {
            #expect(failure.status == SYNTH_BAD_FILE && failure.role == "model")
            #expect(failure.message.hasSuffix(".") && !failure.message.contains(path))
        }
    }

    @Test("A truncated or modified file either is rejected or still works") func damaged() throws {
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        var random = SystemRandomNumberGenerator()
        for turn in 0..<24 {
            var damaged = bytes
            if turn.isMultiple(of: 2) {
                damaged.removeLast(Int.random(in: 1...bytes.count, using: &random))
            } else {
                for _ in 0..<8 { damaged[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255) }
            }
            let path = try folder.write(Data(damaged), to: "damaged-\(turn).onnx")
            do throws(InferenceError) {
                var probability = SpeechProbability(try DetectorModel(path))
                _ = try probability.next([0.5])
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
        #expect(throws: InferenceError.self) { try DetectorModel("/nowhere") }
    }
}
