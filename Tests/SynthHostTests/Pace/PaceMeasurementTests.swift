import Foundation
import SynthEngineProcesses
import SynthSystem
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Pace measurement", .ownThreads, .enabled(if: BuildFolder.hasNeuralEngines))
struct PaceMeasurementTests {
    private func host(_ home: UserHome) throws -> LocalHost {
        LocalHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment), environment: [:]))
    }

    @Test("The pace is computed from the probe's cost and the clocks, ignoring the first utterance")
    func measure() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let host = try host(home)
        // The first utterance takes 300 ms, all others take 100 ms, and each uses all processors.
        let readings = Monitor(0)
        let clock = PaceClock(
            now: {
                readings.update { count in
                    count += 1
                    return count == 1 ? .zero : .milliseconds(200 + 100 * (count / 2))
                }
            }, processorTime: { _ in .milliseconds(400 * readings.read { $0 }) })
        let sample = try #require(try host.snapshot().paceMeasurement(clock: clock)?.run())
        #expect(sample.tries.map(\.time) == Array(repeating: .milliseconds(100), count: 3))
        #expect(sample.wasUndisturbed)
        #expect(sample.pace == MachinePace(rate: sample.cost / 0.1))
        #expect(!home.exists("data/synthhost/models"))
    }

    @Test("With an empty store, the measurement reads the actual CPU time of the engine's process")
    func processorTime() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let host = try host(home)
        let sample = try #require(try host.snapshot().paceMeasurement()?.run())
        #expect(sample.tries.contains { $0.processorTime > .zero })
        #expect(sample.tries.allSatisfy { $0.time > .zero })
    }

    @Test("The measurement stops when it is cancelled")
    func cancel() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let host = try host(home)
        let measurement = try #require(host.snapshot().paceMeasurement())
        measurement.cancel()
        #expect(throws: EngineFailure.self) { try measurement.run() }
    }

    @Test("The result for an idle machine is stored, and the user's own setting overrides it")
    func memory() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let host = try host(home)
        let inventory = host.snapshot()
        #expect(inventory.knownPace() == nil)
        let busy = PaceSample(
            cost: 2, tries: [.init(time: .seconds(1), processorTime: .milliseconds(10))], threads: 1)
        inventory.remember(busy)
        #expect(inventory.knownPace() == nil)
        let idle = PaceSample(
            cost: 2, tries: [.init(time: .seconds(1), processorTime: .seconds(1))], threads: 1)
        inventory.remember(idle)
        #expect(inventory.knownPace() == MachinePace(rate: 2))
        let told = LocalHost(
            HostSetup(installation: host.installation, folders: host.folders, environment: ["SYNTHHOST_PACE": "7.5"]))
        #expect(told.snapshot().knownPace() == MachinePace(rate: 7.5))
    }
}
