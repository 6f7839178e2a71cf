import SynthAudio
import SynthCatalogue
import SynthEngineWire
import SynthHost
import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthEngineProcesses
@testable import SynthHTTPServer
@testable import SynthService
@testable import SynthWyoming

@Suite("A service's counters", .ownThreads)
struct ServiceCountingTests {
    private let engine = TestEngine(sampleRate: 1000, framesPerByte: 100)

    private func serving(_ body: (SpeechService, TestBackend) throws -> Void) throws {
        let double = TestBackend(engine)
        let service = SpeechService(double)
        defer { service.close() }
        try body(service, double)
    }

    private func order(_ text: String, voice: String = "Ann") -> SpeechJob {
        var order = SpeechJob(.plain(text))
        order.voice = VoiceQuery(name: voice)
        return order
    }

    @Test("The metrics include the spoken utterances, the duration of their audio, and the models in use")
    func spoken() throws {
        try serving { service, double in
            for voice in ["Ann", "Bob", "Ann"] {
                let speech = try service.speak(order("One.", voice: voice))
                #expect(service.figures().speeches == .init(running: 0, waiting: 1))
                var isFirst = true
                _ = try speech.read { parts in
                    if isFirst, parts.contains(where: { if case .audio = $0 { true } else { false } }) {
                        isFirst = false
                        #expect(service.figures().speeches == .init(running: 1, waiting: 0))
                    }
                }
                #expect(!isFirst && service.figures().speeches == .init(running: 0, waiting: 0))
            }
            double.figuresNow.update {
                $0 = [EngineFigures(id: "test", plugin: "", models: [LoadRequest(id: "Ann"): 2])]
            }
            let figures = service.figures()
            #expect(figures.utterances == .init(spoken: 3))
            #expect(figures.sound == .milliseconds(1200) && figures.work > .zero && figures.realTimeFactor != nil)
            #expect(figures.firstSound.count == 3 && figures.cancel.count == 0)
            #expect(figures.models.map(\.id) == ["Bob", "Ann"] || figures.models.map(\.id) == ["Ann", "Bob"])
            #expect(figures.models.allSatisfy { $0.unused != nil })
            #expect(figures.models.first { $0.id == "Ann" }?.lanes == 2)
            #expect(figures.engines.count == 1)
        }
    }

    @Test("Cancelled and failed requests are counted, and the time until a cancellation takes effect is measured")
    func ends() throws {
        try serving { service, _ in
            engine.hold()
            let speech = try service.speak(order("One."))
            let isOver = Monitor(false)
            startThread("reader") {
                _ = try? speech.read { _ in }
                isOver.update { $0 = true }
            }
            engine.waitForSentences(1)
            #expect(service.figures().models.map(\.unused) == [nil])
            speech.cancel()
            #expect(isOver.wait(timeout: .seconds(600)) { $0 ? true : nil } == true)
            engine.release()
            // The engine stops shortly after the request has ended.
            service.counters.waitForCancelled(1)
            #expect(service.figures().utterances == .init(cancelled: 1))
            #expect(service.figures().cancel.count == 1 && service.figures().firstSound.count == 0)

            engine.crash(at: "two")
            #expect(throws: SpeechError.self) { try service.speak(order("one two three")).read { _ in } }
            #expect(service.figures().utterances == .init(cancelled: 1, failed: 1))
            #expect(service.figures().speeches == .init(running: 0, waiting: 0))
            #expect(service.figures().cancel.count == 1)
        }
    }

    @Test("Fallback voices are counted")
    func replaced() throws {
        try serving { service, double in
            let (ann, bob) = (try double.voice(VoiceQuery(name: "Ann")), try double.voice(VoiceQuery(name: "Bob")))
            let other = try double.session(bob)
            let failing = TestEngine(sampleRate: 1000, framesPerByte: 100)
            failing.crash(at: "two")
            let description = EngineDescription(id: "failing", name: "Failing", version: "1", license: "Apache-2.0")
            let session = SpeechSession(
                ann,
                SpeechSession.Source(
                    engine: description,
                    voice: PreparedVoice(
                        load: LoadRequest(id: "Ann"), uses: [VoiceUse(id: "Ann")], gain: Gain(factor: 1)),
                    presets: Configuration(), openLane: { _ in failing.makeLane() }
                ) { source in
                    source.plugin = "/failing.so"
                    source.lanes = double.warm
                    source.findFallback = { _, _ in other }
                })
            var settings = SpeechSettings()
            settings.fallsBack = true
            let text = try CompleteText("One two three.")
            let speech = ServiceSpeech(
                session.speak(text) { [settings] _ in settings }, service.counters.begin(isTimed: true),
                ServiceNotices([]) { _ in nil }
            ) {}
            _ = try speech.read { _ in }
            #expect(service.figures().utterances == .init(spoken: 1, failed: 1, replaced: 1))
        }
    }

    @Test("A request for an unknown voice is not counted")
    func unknown() throws {
        try serving { service, _ in
            #expect(throws: SpeechError.self) { try service.speak(order("a", voice: "Nobody")) }
            #expect(service.figures().speeches == .init(running: 0, waiting: 0))
        }
    }

    @Test("Utterances that programs speak on leased lanes are counted")
    func lent() throws {
        let folder = try TemporaryFolder()
        try serving { service, double in
            let words = ServiceMessages(
                version: "1", malformed: "malformed", tooLong: "too long", busy: "busy", sentence: { "\($0)" },
                code: { _ in "x" },
                note: { _ in })
            let socket = "\(folder.path)/socket"
            let door = ConnectionServer.wyoming(try SocketListener(.unix(socket)), service, words, leasesLanes: true)
            startThread("door") { door.run() }
            defer { door.drain(until: .now) }
            let lanes = ResidentLanes(at: socket, double.identity, .normal, timeout: .seconds(600))
            let pool = lanes.lanes(of: ModelKey(plugin: TestBackend.plugin, LoadRequest(id: "Eve")), limit: 1) {
                _ throws(EngineFailure) in
                throw EngineFailure(engine: "own", reason: .unspeakableText)
            }
            let lane = SharedLane(pool, .normal, into: AnySound())
            for isAwaited in [true, false] {
                let request = LaneRequest(.text("One."), voices: [VoiceUse(id: "Eve")], isAwaited: isAwaited)
                #expect(try lane.speak(request, unless: { false }) { _ in true })
            }
            let figures = service.figures()
            #expect(figures.utterances == .init(spoken: 2) && figures.sound == .milliseconds(800))
            #expect(figures.firstSound.count == 1 && figures.models.map(\.id) == ["Eve"])
        }
    }

    private struct AnySound: ExpandableBuffer {
        func waitForRoom() -> Bool { true }
        func setExpanded(_ isExpanded: Bool) {}
    }
}
