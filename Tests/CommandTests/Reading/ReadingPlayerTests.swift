import CommandSupport
import SynthDocuments
import SynthHostTesting
import SynthSystem
import Testing

@testable import SynthBooks
@testable import SynthHost
@testable import synthhost_cli

/// A player with an engine that produces 10 ms of audio per byte, and a device whose clock the test advances.
private final class Bench {
    let engine = TestEngine()
    let speaker = SteppedSpeaker()
    let text: ReadText
    let host: SpeechHost
    let player: ReadingPlayer

    static let rate = 16_000

    init(_ paragraphs: [String], tempo: Double = 1, holdsEngine: Bool = false) async throws {
        text = ReadText.made(paragraphs)
        host = SpeechHost(testing: engine, voices: ["Ann", "Bob"])
        player = ReadingPlayer(
            text, from: ReadPosition(block: 0), tempo: tempo, pauses: SpeechPauses(),
            device: { [speaker] in speaker.sink() }, onStatus: {}
        )
        if holdsEngine { engine.hold() }
        try await speak(with: "Ann")
    }

    deinit { player.close() }

    func speak(with name: String) async throws {
        let session = try await host.session(try await host.voice(name))
        player.speak(with: .init(session: session) { _ in SpeechSettings() })
    }

    /// Plays until a condition holds, but for no more than `seconds` of audio.
    func play(untilSoundOf seconds: Double = 600, _ isDone: (ReadingPlayer.Status) -> Bool) throws {
        for _ in 0..<Int(seconds * 50) {
            if isDone(player.status) { return }
            if speaker.play(Self.rate / 50, within: .milliseconds(200)) == 0, isDone(player.status) { return }
        }
        Issue.record("The expected state was not reached: \(player.status)")
    }

    func play(seconds: Double) { speaker.play(Int(seconds * Double(Self.rate))) }

    /// The playback position in seconds of the cached audio.
    var position: Double {
        player.state.read { state in state.sound.seconds(state.head) }
    }
}

extension ReadText {
    /// A text with these paragraphs. Paragraphs that start with "#" are headings and start a chapter.
    static func made(_ paragraphs: [String]) -> ReadText {
        var chapters: [(number: Int, chapter: Document.Chapter)] = []
        for paragraph in paragraphs {
            let isHeading = paragraph.hasPrefix("#")
            let text = isHeading ? String(paragraph.dropFirst()) : paragraph
            let block = Document.Block(isHeading ? .heading(level: 1) : .paragraph, text, at: .init(line: 0))
            if isHeading || chapters.isEmpty {
                chapters.append((chapters.count + 1, Document.Chapter(title: isHeading ? text : nil, blocks: [block])))
            } else {
                chapters[chapters.count - 1].chapter.blocks.append(block)
            }
        }
        return ReadText(title: nil, name: "text", chapters, DocumentLanguages("en"))
    }
}

@Suite("The reader's player")
struct ReadingPlayerTests {
    private static let paragraphs = [
        "#The first chapter.", "Anna opens the old door. Bruno sees a long corridor behind it. Nobody says a word.",
        "Clara lights a lamp.", "#The second chapter.", "Dora closes the door again. Emil goes home.",
    ]

    @Test("All sentences are played in order, and playback finishes only at the end")
    func whole() async throws {
        let bench = try await Bench(Self.paragraphs)
        bench.player.resume()
        var places: [ReadPosition] = []
        try bench.play { status in
            if status.phase == .speaking, places.last != status.place { places.append(status.place) }
            return status.phase == .finished
        }
        var expected = [ReadPosition(block: 0)]
        while let next = expected.last.flatMap(bench.text.after) { expected.append(next) }
        #expect(places == expected)
        #expect(bench.engine.spoken.count == expected.count)
        let end = bench.player.state.read { $0.sound.end }
        #expect(bench.speaker.played == end)
    }

    @Test("A pause takes effect immediately, and playback resumes at the same position", arguments: [0.3, 1.1, 2.02])
    func pause(seconds: Double) async throws {
        let bench = try await Bench(Self.paragraphs)
        bench.player.resume()
        bench.play(seconds: seconds)
        bench.player.pause()
        #expect(bench.player.status.phase == .paused)
        // One step of audio may still be on its way to the device.
        #expect(abs(bench.position - seconds) <= 0.0201)
        let before = bench.player.status.place
        bench.player.resume()
        bench.play(seconds: 0.02)
        #expect(bench.player.status.place == before || bench.player.status.place == bench.text.after(before))
        bench.player.pause()
        #expect(abs(bench.position - seconds - 0.02) <= 0.0401)
    }

    @Test("Seeking to a cached sentence does not use the engine")
    func seek() async throws {
        let bench = try await Bench(Self.paragraphs)
        bench.player.resume()
        try bench.play { $0.phase == .finished }
        let count = bench.engine.spoken.count
        var place: ReadPosition? = ReadPosition(block: 0)
        while let next = place {
            bench.player.seek(to: next)
            bench.player.resume()
            bench.play(seconds: 0.1)
            #expect(bench.player.status.place == next)
            #expect(bench.player.status.phase == .speaking)
            bench.player.pause()
            place = bench.text.after(next)
        }
        #expect(bench.engine.spoken.count == count)
    }

    @Test("Seeking to a sentence that is not cached synthesizes that sentence first")
    func farSeek() async throws {
        let paragraphs = (1...40).map { "This is the paragraph with the number \($0), and it is rather long. It ends." }
        let bench = try await Bench(paragraphs)
        bench.player.resume()
        bench.play(seconds: 1)
        let goal = try #require(bench.text.after(ReadPosition(block: 37)))
        bench.player.seek(to: goal)
        #expect(bench.player.status.place == goal)
        try bench.play { $0.phase == .speaking }
        bench.play(seconds: 0.05)
        #expect(bench.player.status.place == goal)
        bench.engine.waitForSentences(1)
        #expect(bench.engine.spoken.contains("It ends."))
        try bench.play { $0.phase == .finished }
    }

    @Test("Skipping ten seconds backward and forward uses the cached audio", arguments: [1.0, 2])
    func skip(tempo: Double) async throws {
        let bench = try await Bench((1...80).map { "One two three four five six \($0)." }, tempo: tempo)
        bench.player.resume()
        bench.play(seconds: 12)
        bench.player.pause()
        let before = bench.position
        #expect(abs(before - 12 * tempo) <= 0.1)
        bench.player.skip(-10)
        #expect(abs(bench.position - (before - 10 * tempo)) <= 0.0001)
        bench.player.skip(10)
        #expect(abs(bench.position - before) <= 0.0001)
        // The engine continues to speak ahead, but speaks no sentence twice.
        let spoken = bench.engine.spoken
        #expect(Set(spoken).count == spoken.count)
    }

    @Test("Changing the tempo does not use the engine", arguments: [0.5, 0.8, 1.5, 2, 4])
    func tempo(tempo: Double) async throws {
        let bench = try await Bench(Self.paragraphs)
        bench.player.resume()
        try bench.play { $0.phase == .finished }
        let (whole, count) = (bench.speaker.played, bench.engine.spoken.count)
        bench.player.seek(to: ReadPosition(block: 0))
        bench.player.setTempo(tempo)
        bench.player.resume()
        try bench.play { $0.phase == .finished }
        let share = Double(bench.speaker.played - whole) / Double(whole)
        #expect(abs(share * tempo - 1) < 0.03, "\(share)")
        #expect(bench.engine.spoken.count == count)
    }

    @Test("A failure is reported when playback reaches it, and a retry starts at that sentence")
    func crash() async throws {
        let bench = try await Bench(Self.paragraphs)
        bench.engine.crash(at: "corridor")
        bench.player.resume()
        try bench.play { if case .failed = $0.phase { true } else { false } }
        bench.engine.crash(at: nil)
        bench.player.resume()
        var places: [ReadPosition] = []
        try bench.play { status in
            if status.phase == .speaking, places.last != status.place { places.append(status.place) }
            return status.phase == .finished
        }
        #expect(places.first == ReadPosition(block: 1, byte: 25))
    }

    @Test("After a change of voice, the current sentence is repeated at the same tempo")
    func voice() async throws {
        let bench = try await Bench(Self.paragraphs, tempo: 2)
        bench.player.resume()
        try bench.play { $0.place == ReadPosition(block: 1, byte: 25) }
        let count = bench.engine.spoken.count
        try await bench.speak(with: "Bob")
        #expect(bench.player.status.place == ReadPosition(block: 1, byte: 25))
        try bench.play { $0.phase == .finished }
        let rest = bench.engine.spoken.dropFirst(count)
        #expect(rest.first == "Bruno sees a long corridor behind it." || rest.dropFirst().first != nil)
        #expect(bench.player.state.read(\.tempo) == 2)
    }

    @Test("If the engine is slow, playback buffers and then continues")
    func buffering() async throws {
        let bench = try await Bench(["One two three. Four five six. Seven eight."], holdsEngine: true)
        bench.player.resume()
        #expect(bench.player.status.phase == .loading)
        bench.engine.waitForSentences(1)
        bench.engine.releaseWaiting()
        try bench.play { $0.phase == .speaking }
        try bench.play(untilSoundOf: 5) { $0.phase == .buffering }
        bench.engine.release()
        try bench.play { $0.phase == .finished }
    }
}
