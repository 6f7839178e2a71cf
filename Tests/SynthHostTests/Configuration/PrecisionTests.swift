import SynthEngineProcesses
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthUserVoices

@Suite("Precision of neural voices") struct PrecisionTests {
    private func host(_ precision: Configuration.Precision, _ variables: [String: String] = [:]) throws -> LocalHost {
        let home = try UserHome(programs: BuildFolder.path)
        var presets = Configuration()
        presets.precision = precision
        return LocalHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment),
                environment: ["LANG": "C"].merging(variables) { $1 }
            ) {
                $0.presets = presets
            })
    }

    @Test("The precision is passed to engines in their environment, in addition to all other variables")
    func told() throws {
        let environment = try #require(try host(.fast).workerProgram.environment)
        #expect(environment == ["LANG": "C", "SYNTHHOST_PRECISION": "fast"])
        #expect(try host(.exact).workerProgram.environment?["SYNTHHOST_EXACT"] == "1")
        #expect(try host(.automatic).workerProgram.environment == nil)
    }

    @Test(
        "The service's engines, which get variables by name, get the same precision",
        arguments: Configuration.Precision.allCases)
    func offered(precision: Configuration.Precision) {
        var configuration = Configuration()
        configuration.precision = precision
        let (offered, told) = (Configuration.possibleEngineVariables, configuration.engineVariables)
        #expect(told.allSatisfy { offered[$0.key] == $0.value })
        #expect(told.isEmpty == (precision == .automatic))
    }

    @Test("A variable set by the user takes precedence")
    func variable() throws {
        let environment = try host(.fast, ["SYNTHHOST_PRECISION": "exact"]).workerProgram.environment
        #expect(environment?["SYNTHHOST_PRECISION"] == "exact")
    }

    @Test("A host with a different precision has a different identity")
    func identity() throws {
        let (exact, fast) = (try host(.exact).identity.lines, try host(.fast).identity.lines)
        #expect(Set(fast).subtracting(exact).contains("SYNTHHOST_PRECISION=fast"))
        #expect(try host(.exact, ["SYNTHHOST_PRECISION": "fast"]).identity.lines.contains("SYNTHHOST_PRECISION=fast"))
    }
}
