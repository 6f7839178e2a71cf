import Foundation
import SynthEngineProcesses
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@Suite("Memory use of a worker that loads and unloads models", .ownThreads)
struct ModelGrowthTests {
    private struct Subject: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var model: [String: String] = [:]
        var voice: [String: String] = [:]
    }

    private static let subjects =
        [
            Subject(testDescription: "Tone"), Subject(testDescription: "EspeakNG"),
            Subject(testDescription: "Hibari", model: ["model": "af_small.onnx"]),
        ]
        + (BuildFolder.hasNeuralEngines ? neural : [])
    private static let neural = [
        Subject(
            testDescription: "Piper",
            model: ["model": "en_US-flock-x_low.onnx", "config": "en_US-flock-x_low.onnx.json"]),
        Subject(testDescription: "Kokoro", model: ["model": "kokoro-tern.onnx"], voice: ["style": "af_tern.bin"]),
    ]

    private struct Footprint {
        var bytes: Int
        var descriptors: Int
        var threads: Int

        init(_ process: pid_t) throws {
            let fields = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
            bytes = try #require(Int(fields[1])) * Int(sysconf(Int32(_SC_PAGESIZE)))
            descriptors = FolderListing.names(in: "/proc/\(process)/fd").count
            threads = FolderListing.names(in: "/proc/\(process)/task").count
        }

        /// Whether memory has grown by less than 4 MB, and nothing else has grown.
        func isNoLarger(than other: Footprint) -> Bool {
            bytes < other.bytes + 4_000_000 && descriptors <= other.descriptors && threads <= other.threads
        }
    }

    @Test(
        "Loading a model twenty times takes no more memory than loading it a few times",
        .disabled(if: Sanitizer.isActive, "A sanitizer retains freed memory."),
        arguments: subjects)
    private func growth(_ subject: Subject) throws {
        let fixture = try EngineFixture()
        let path = "\(BuildFolder.path)/lib\(subject.testDescription).so"
        let description = try EngineFile(path: path).describe(by: fixture.program, limits: .short())
        // A worker that unloads slowly would be replaced, and then the test would measure a different worker.
        let engine = Engine(file: path, description: description, program: fixture.program, limits: .short())
        let cache = "\(fixture.folder)/cache"
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: false)
        let id = description.voices.first { $0.language.hasPrefix("en") }?.id ?? description.voices.first?.id ?? "voice"
        let load = LoadRequest(id: id, threads: 1, cacheDirectory: cache, files: Self.files(subject.model))
        let request = LaneRequest(
            .text("One, two, three."), language: subject.voice.isEmpty ? nil : "en-US",
            voices: [VoiceUse(id: id, files: Self.files(subject.voice))])
        func round(until isEnough: (Footprint) -> Bool = { _ in true }) throws -> Footprint {
            let lane = try engine.openLane(on: load, handing: Self.files(subject.voice))
            #expect(try lane.speak(request) { _ in true })
            let process = try #require(engine.figures.processes.first?.identifier)
            var footprint = try Footprint(process)
            // A thread may be listed for a moment after it has exited.
            let end = ContinuousClock.now + .seconds(300)
            while !isEnough(footprint), .now < end {
                usleep(5000)
                footprint = try Footprint(process)
            }
            withExtendedLifetime(lane) {}
            return footprint
        }
        // The first rounds fill the caches.
        for _ in 1...4 { _ = try round() }
        let before = try round()
        for _ in 1...19 { _ = try round() }
        let after = try round { $0.isNoLarger(than: before) }
        #expect(after.isNoLarger(than: before), "\(before) \(after)")
    }

    private static func files(_ names: [String: String]) -> [HandedFile] {
        names.map { HandedFile(role: $0.key, path: "\(EngineFixture.root)/Tests/Fixtures/Voices/\($0.value)") }
    }
}
