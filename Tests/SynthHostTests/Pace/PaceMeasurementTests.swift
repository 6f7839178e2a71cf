import Engines
import Foundation
import Testing
import TestSupport

@testable import SynthHost

@Suite("Measuring this machine", .ownThreads, .enabled(if: BuildFolder.hasNeuralEngines))
struct PaceMeasurementTests {
    private func host(_ home: UserHome) throws -> LocalHost {
        LocalHost(
            installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
            folders: UserFolders(environment: home.environment), environment: [:])
    }

    @Test("gives a pace that a machine can have, with nothing in the store")
    func measure() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let host = try host(home)
        let sample = try #require(try host.inventory().paceMeasurement()?.run())
        // From a machine of 2005 to one of a thousand times this one's speed.
        let pace = try #require(sample.pace)
        #expect((0.05...50_000).contains(pace.rate), "\(sample)")
        #expect(sample.tries.contains { $0.processorTime > .zero })
        #expect(!home.exists("data/synthhost/models"))
    }

    @Test("ends when it is cancelled")
    func cancel() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let host = try host(home)
        let measurement = try #require(host.inventory().paceMeasurement())
        measurement.cancel()
        #expect(throws: EngineFailure.self) { try measurement.run() }
    }

    @Test("keeps what it found where the machine was idle, and what the user says goes before")
    func memory() throws {
        let home = try UserHome(programs: BuildFolder.path)
        let host = try host(home)
        let inventory = host.inventory()
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
            installation: host.installation, folders: host.folders, environment: ["SYNTHHOST_PACE": "7.5"])
        #expect(told.inventory().knownPace() == MachinePace(rate: 7.5))
    }
}
