import SynthEngineWire
import SynthJSON
import Testing

@testable import SynthEngineProcesses
@testable import SynthService

@Suite("A service's metrics")
struct ServiceFiguresTests {
    private static let now = ContinuousClock.now
    private static let (ann, bob) = (LoadRequest(id: "ann"), LoadRequest(id: "bob"))

    @Test("Each model is listed once, along with its lanes in all processes")
    func models() {
        let engines = [
            EngineFigures(id: "piper", plugin: "/a.so", models: [Self.ann: 2, Self.bob: 1]),
            EngineFigures(id: "kokoro", plugin: "/b.so", models: [Self.ann: 3]),
        ]
        let models = ServiceFigures.models(
            [
                ("/a.so", Self.ann, Self.now - .seconds(3)), ("/c.so", Self.bob, nil),
                ("/b.so", Self.bob, Self.now + .seconds(1)),
            ], in: engines, at: Self.now)
        #expect(
            models == [
                .init(engine: "/c.so", id: "bob", lanes: 0, unused: nil),
                .init(engine: "kokoro", id: "ann", lanes: 3, unused: nil),
                .init(engine: "kokoro", id: "bob", lanes: 0, unused: .zero),
                .init(engine: "piper", id: "ann", lanes: 2, unused: .seconds(3)),
                .init(engine: "piper", id: "bob", lanes: 1, unused: nil),
            ])
    }

    @Test("The metrics are available as JSON")
    func json() {
        var figures = ServiceCounters().figures()
        figures.start = 1_700_000_000
        figures.uptime = .milliseconds(1500)
        figures.engines = [
            EngineFigures(
                id: "piper", plugin: "/a.so",
                processes: [.init(identifier: 7, memory: 1 << 20), .init(identifier: 8, memory: 1 << 21)])
        ]
        figures.models = [
            .init(engine: "piper", id: "ann", lanes: 1, unused: nil),
            .init(engine: "piper", id: "b\"b", lanes: 0, unused: .microseconds(1)),
        ]
        figures.speeches = .init(running: 1, waiting: 2)
        figures.utterances = .init(spoken: 3, cancelled: 4, failed: 5, replaced: 6)
        figures.transcriptions = .init(
            running: 1, waiting: 2, transcribed: 3, cancelled: 4, failed: 5, sound: .milliseconds(6500))
        figures.sound = .seconds(3)
        figures.work = .seconds(1)
        figures.cancel.add(.milliseconds(20))
        figures.cancel.add(.milliseconds(10))
        let expected = """
            {"start":1700000000,"uptime":1.5,"memory":3145728,\
            "engines":[{"engine":"piper","file":"/a.so","memory":3145728,\
            "processes":[{"process":7,"memory":1048576},{"process":8,"memory":2097152}]}],\
            "models":[{"engine":"piper","model":"ann","lanes":1,"unused":null},\
            {"engine":"piper","model":"b\\"b","lanes":0,"unused":1e-06}],\
            "speeches":{"running":1,"waiting":2},\
            "utterances":{"spoken":3,"cancelled":4,"failed":5,"replaced":6},\
            "transcriptions":{"running":1,"waiting":2,"transcribed":3,"cancelled":4,"failed":5,"sound":6.5},\
            "sound":3,"work":1,"realTimeFactor":0.333333,\
            "firstSound":{"count":0,"p50":null,"p99":null},\
            "cancel":{"count":2,"p50":0.01,"p99":0.02}}
            """
        #expect(JSONWriter.line(of: JSONNode(.object(figures.members))) == expected)
        figures.sound = .zero
        #expect(figures.realTimeFactor == nil)
    }

    @Test("Running and waiting requests are counted, and their latencies are measured")
    func speeches() {
        let counters = ServiceCounters()
        let first = counters.begin(isTimed: true, at: Self.now)
        let second = counters.begin(isTimed: false, at: Self.now)
        #expect(counters.figures().speeches == .init(running: 0, waiting: 2))
        first.sounds(at: Self.now + .milliseconds(30))
        first.sounds(at: Self.now + .milliseconds(50))
        second.sounds(at: Self.now + .milliseconds(40))
        #expect(counters.figures().speeches == .init(running: 2, waiting: 0))
        first.cancel(at: Self.now + .milliseconds(60))
        first.cancel(at: Self.now + .milliseconds(70))
        first.end(at: Self.now + .milliseconds(75))
        first.end(at: Self.now + .milliseconds(90))
        first.sounds(at: Self.now + .milliseconds(95))
        second.end(replacements: 2)
        let figures = counters.figures()
        #expect(figures.speeches == .init(running: 0, waiting: 0) && figures.utterances.replaced == 2)
        #expect(figures.firstSound.count == 1 && figures.firstSound.quantile(1) == .milliseconds(30))
        #expect(figures.cancel.count == 1 && figures.cancel.quantile(1) == .milliseconds(15))
    }

    @Test("An abandoned request is no longer counted")
    func forgotten() {
        let counters = ServiceCounters()
        do {
            let speech = counters.begin(isTimed: true)
            #expect(counters.figures().speeches.waiting == 1)
            withExtendedLifetime(speech) {}
        }
        #expect(counters.figures().speeches == .init(running: 0, waiting: 0))
        #expect(counters.figures().firstSound.count == 0 && counters.figures().cancel.count == 0)
    }
}
