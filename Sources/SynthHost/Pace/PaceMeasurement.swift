package import Engines
import EngineWire
import System
import VoiceCatalogue

/// Measures the speed of this machine with an engine that speaks a probe. It uses the real library, its kernels for
/// this processor and as many threads as real speech, and needs no download.
package struct PaceMeasurement: Sendable {
    /// Long enough for a processor that must raise its clock first.
    private static let shortest = Duration.milliseconds(200)
    /// After this, a slow machine is measured well enough, and a busy one as well as possible.
    private static let longest = Duration.seconds(1)

    private let engine: Engine
    private let probe: Probe
    private let folder: String
    private let threads: Int
    private let clock: PaceClock

    /// - Parameter folder: the folder for the probe's files.
    init(engine: Engine, probe: Probe, folder: String, threads: Int, clock: PaceClock = .real) {
        self.engine = engine
        self.probe = probe
        self.folder = folder
        self.threads = threads
        self.clock = clock
    }

    /// Makes `run` throw. May be called on any thread.
    package func cancel() { engine.abandon() }

    /// Blocks for less than a second if the machine is fast enough for speech.
    package func run() throws(EngineFailure) -> PaceSample? {
        guard let files = try? handedFiles() else { return nil }
        let ofVoice = Set(engine.description.roles.filter(\.isOfVoice).map(\.name))
        let lane = try engine.openLane(
            on: LoadRequest(
                id: "probe", threads: UInt32(clamping: threads), files: files.filter { !ofVoice.contains($0.role) }))
        let voice = VoiceUse(id: "probe", files: files.filter { ofVoice.contains($0.role) })
        let request = LaneRequest(.text("a"), language: probe.language, voices: [voice])

        // The first utterance allocates the memory that the others reuse.
        let first = try utterance(request, on: lane)
        var sample = PaceSample(cost: probe.cost, tries: [], threads: threads)
        var spent = Duration.zero
        // While other programs are busy, a later try may run undisturbed.
        while sample.tries.count < 3 || spent < Self.shortest || !sample.wasUndisturbed,
            first.time + spent < Self.longest
        {
            sample.tries.append(try utterance(request, on: lane))
            spent += sample.tries.last?.time ?? .zero
        }
        if sample.tries.isEmpty { sample.tries = [first] }
        return sample
    }

    private func utterance(_ request: LaneRequest, on lane: EngineLane) throws(EngineFailure) -> PaceSample.Try {
        let (before, start) = (clock.processorTime(lane), clock.now())
        _ = try lane.speak(request) { _ in true }
        let time = clock.now() - start
        let used = clock.processorTime(lane).flatMap { after in before.map { after - $0 } }
        return PaceSample.Try(time: time, processorTime: used ?? .zero)
    }

    private func handedFiles() throws(Errno) -> [HandedFile] {
        var files: [HandedFile] = []
        makeFolder(of: "\(folder)/")
        for file in probe.files {
            let path = "\(folder)/\(file.name)"
            try replaceFile(path, with: file.content)
            files.append(HandedFile(role: file.role, path: path))
        }
        return files
    }
}
