package import synthhost_cli
package import SynthTerminal
package import TestSupport

extension UserHome {
    /// Runs a command line in this process to completion. No progress is shown, even if the machine is slow.
    package func run(
        _ words: String..., input: [UInt8]? = nil, adding variables: [String: String?] = [:],
        devices: SoundDevices = .missing
    ) throws -> ChildResult {
        try run(words, input: input, adding: variables, devices: devices)
    }

    package func run(
        _ words: [String], input: [UInt8]? = nil, adding variables: [String: String?] = [:],
        devices: SoundDevices = .missing
    ) throws -> ChildResult {
        try begin(words, input: input, adding: variables, devices: devices, waits: .still).finish()
    }

    /// Starts a command line in this process, with the build's engines in the scan cache.
    ///
    /// - Parameters:
    ///   - screen: The terminal for messages and questions, if there is one.
    ///   - showsOutput: Whether the output goes to the same terminal.
    package func begin(
        _ words: [String], on screen: PseudoTerminal? = nil, showsOutput: Bool = false, input: [UInt8]? = nil,
        adding variables: [String: String?] = [:], devices: SoundDevices = .missing,
        waits: ProgressClock = .continuous
    ) throws -> RunningCommand {
        try EngineScanCache.install(in: self)
        var environment = environment
        for (name, value) in variables { environment[name] = value }
        return try RunningCommand(
            words, environment: environment, program: "\(programs)/synthhost", input: input,
            outputScreen: showsOutput ? screen : nil, screen: screen, devices: devices, waits: waits)
    }
}

extension ProgressClock {
    /// A clock that does not advance.
    fileprivate static let still = ProgressClock(now: { .zero }, sleep: { try await Task.sleep(for: $0) })
}
