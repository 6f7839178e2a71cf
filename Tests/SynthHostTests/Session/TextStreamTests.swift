import SynthEngineWire
import SynthScript
import SynthSystem
import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Text that arrives in chunks")
struct TextStreamTests {
    private struct Broken: Error {}

    /// Returns all utterances from a source.
    private func utterances(_ source: TextFeedSource) async throws -> [String] {
        try await onThread("reader") { () -> Result<[String], SpeechError> in
            var texts: [String] = []
            do throws(SpeechError) {
                while let utterance = try source.next()?.utterance { texts.append(utterance.text) }
                return .success(texts)
            } catch {
                return .failure(error)
            }
        }.get()
    }

    private func stream(_ pieces: [String]) -> AsyncStream<String> {
        AsyncStream { continuation in
            for piece in pieces { continuation.yield(piece) }
            continuation.finish()
        }
    }

    @Test(
        "A text is spoken exactly once regardless of how it is split",
        arguments: [
            ["One two. Three four. Five"], ["One t", "wo. Thr", "ee four. F", "ive"],
            "One two. Three four. Five".map { String($0) },
        ])
    func pieces(pieces: [String]) async throws {
        let source = TextFeedSource(TextFeed(stream(pieces)))
        #expect(try await utterances(source) == ["One two.", "Three four.", "Five"])
    }

    @Test("The first sentence is delivered before the second one arrives")
    func first() async throws {
        let (pieces, writer) = AsyncStream.makeStream(of: String.self)
        let source = TextFeedSource(TextFeed(pieces))
        writer.yield("One two. Three")
        let first = await onThread("reader") { Result { try source.next()?.utterance?.text } }
        #expect(try first.get() == "One two.")
        writer.yield(" four.")
        writer.finish()
        #expect(try await utterances(source) == ["Three four."])
    }

    @Test("A text whose source fails is spoken up to the point of failure")
    func failingSource() async throws {
        let pieces = AsyncThrowingStream<String, any Error> { continuation in
            continuation.yield("One. Two. ")
            continuation.finish(throwing: Broken())
        }
        let source = TextFeedSource(TextFeed(pieces))
        let first = await onThread("reader") { Result { try source.next()?.utterance?.text } }
        #expect(try first.get() == "One.")
        await #expect {
            _ = try await utterances(source)
        } throws: { error in
            (error as? SpeechError)?.code == .textSourceFailed && (error as? SpeechError)?.cause is Broken
        }
    }

    @Test("Stopping releases a waiting reader")
    func stop() async throws {
        let (pieces, writer) = AsyncStream.makeStream(of: String.self)
        let source = TextFeedSource(TextFeed(pieces))
        async let texts = utterances(source)
        source.stop()
        #expect(try await texts == [])
        writer.finish()
    }

    @Test("A chunk is requested only when it is needed")
    func demand() async throws {
        let asked = Monitor(0)
        let pieces = AsyncStream<String> {
            asked.update { $0 += 1 }
            return "A sentence. And. "
        }
        let source = TextFeedSource(TextFeed(pieces))
        _ = await onThread("reader") { try? source.next() }
        source.stop()
        #expect(asked.read { $0 } <= 2)
    }
}
