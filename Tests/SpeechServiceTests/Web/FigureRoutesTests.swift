import SynthEngineWire
import SynthHostTesting
import SynthJSON
import SynthSystem
import Testing
import TestSupport

@testable import SynthEngineProcesses
@testable import SynthService
@testable import SynthWeb

@Suite("Metrics over HTTP", .ownThreads)
struct FigureRoutesTests {
    private let engine = TestEngine(sampleRate: 1000, framesPerByte: 100)

    private func speak(_ web: WebServing, _ text: String = "One.") throws {
        let body = #"{"input":"\#(text)","voice":"Ann","response_format":"pcm"}"#
        #expect(try web.ask("POST", "/v1/audio/speech", body: body).status == 200)
    }

    /// The sample values, keyed by name and labels, after checking that the text is in format version 0.0.4.
    private func samples(_ text: String) throws -> [String: Double] {
        var samples: [String: Double] = [:]
        var family = ""
        var hasType = false
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let words = line.split(separator: " ", maxSplits: 3)
            if line.hasPrefix("# HELP ") {
                #expect(words.count == 4 && samples.keys.allSatisfy { !$0.hasPrefix("\(words[2]){") }, "\(line)")
                (family, hasType) = (String(words[2]), false)
            } else if line.hasPrefix("# TYPE ") {
                #expect(words[2] == family && ["counter", "gauge", "summary"].contains(words[3]), "\(line)")
                hasType = true
            } else {
                let space = try #require(line.lastIndex(of: " "))
                let name = String(line[..<space])
                #expect(hasType && name.hasPrefix(family) && family.hasPrefix("synthhost_"), "\(line)")
                #expect(samples[name] == nil, "\(line)")
                let value: Double = try #require(Double(String(line[line.index(after: space)...])))
                samples[name] = value
            }
        }
        return samples
    }

    @Test("Prometheus metrics include the spoken utterances")
    func metrics() throws {
        try WebServing.run(engine) { web throws in
            for _ in 0..<3 { try speak(web) }
            _ = try web.ask("GET", "/nothing")
            web.double.figuresNow.update {
                $0 = [
                    EngineFigures(
                        id: "a\"b\\c\nd", plugin: "/p.so", processes: [.init(identifier: 7, memory: 5 << 30)],
                        models: [LoadRequest(id: "m"): 2])
                ]
            }
            let reply = try web.ask("GET", "/metrics")
            #expect(reply.status == 200 && reply["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            let samples = try samples(reply.text)
            let engine = #"{engine="a\"b\\c\nd""#
            let expected = [
                #"synthhost_utterances_total{outcome="spoken"}"#: 3.0,
                #"synthhost_utterances_total{outcome="failed"}"#: 0, "synthhost_sound_seconds_total": 1.2,
                #"synthhost_speeches{state="running"}"#: 0, #"synthhost_speeches{state="waiting"}"#: 0,
                "synthhost_first_sound_seconds_count": 3, "synthhost_cancel_seconds_count": 0,
                "synthhost_cancel_seconds_sum": 0, "synthhost_replacements_total": 0,
                #"synthhost_http_requests_total{kind="speech",status="2xx"}"#: 3,
                #"synthhost_http_requests_total{kind="other",status="4xx"}"#: 1,
                "synthhost_engine_memory_bytes\(engine)}": Double(5 << 30),
                "synthhost_engine_processes\(engine)}": 1,
                #"synthhost_model_lanes\#(engine),model="m"}"#: 2,
            ]
            for (name, value) in expected { #expect(samples[name] == value, "\(name)") }
            #expect((samples["synthhost_work_seconds_total"] ?? 0) > 0)
            #expect((samples["synthhost_first_sound_seconds_sum"] ?? 0) > 0)
            #expect((samples[#"synthhost_first_sound_seconds{quantile="0.99"}"#] ?? 0) > 0)
            #expect(samples[#"synthhost_cancel_seconds{quantile="0.5"}"#] == nil)
            #expect((samples["synthhost_models"] ?? 0) >= 1)
            #expect((samples["synthhost_start_time_seconds"] ?? 0) > 1e9)
        }
    }

    @Test("The metrics match those reported on the command line")
    func status() throws {
        try WebServing.run(engine) { web throws in
            try speak(web)
            let json = try #require(try web.ask("GET", "/api/status").json)
            #expect(json.members.map(\.name) == web.service.figures().members.map(\.name))
            #expect(json.number("utterances", "spoken") == 1 && json.number("sound") == 0.4)
        }
    }

    @Test("Without the token, other machines can see only whether the service is running")
    func access() throws {
        try WebServing.run(engine, isOpen: false) { web throws in
            for path in ["/metrics", "/api/status"] {
                #expect(try web.ask("GET", path).status == 401)
                #expect(try web.ask("GET", path, WebServing.bearer).status == 200)
            }
            #expect(try web.ask("GET", "/health").status == 200)
        }
    }

    @Test("Health checks on open connections report that the service is about to exit")
    func health() throws {
        try WebServing.run(engine) { web throws in
            let client = try web.client()
            let up = try client.ask("GET", "/health")
            #expect(up.status == 200 && up.json?.text("status") == "ok" && up["connection"] == nil)
            let other = try web.client()
            _ = try other.ask("HEAD", "/health")
            web.server.drain()
            let down = try client.ask("GET", "/health")
            #expect(down.status == 503 && down.json?.text("status") == "draining" && down["connection"] == "close")
            #expect(client.isClosed())
            #expect(try other.ask("HEAD", "/health").status == 503)
        }
    }
}
