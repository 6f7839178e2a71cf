import Glibc
import Synchronization
package import synthhost_cli
import SynthSystem
package import SynthTerminal
package import TestSupport

/// A command line that runs in the test process on its own thread. This is fast, and many commands can run in parallel.
/// Programs that a command starts, such as the worker, are separate processes as usual.
package final class RunningCommand: RunningProgram {
    /// Thrown if an expected event does not happen in time.
    package struct TimeOut: Error, CustomStringConvertible {
        package let description: String
    }

    private struct State {
        var output: [UInt8] = []
        var errors = ""
        var isOutputRead = false
        var code: Int32?
    }
    /// Commands have their own threads, because other tests may occupy Swift's cooperative threads for a long time.
    private static let executor = ThreadExecutor(threads: 4)

    private let state = Monitor(State())
    private let interruption = TestInterruption()

    /// - Parameters:
    ///   - input: The complete input, which is passed through a pipe; `nil` for no input.
    ///   - outputScreen: The terminal for the output; `nil` for a pipe that is captured.
    ///   - screen: The terminal for messages and questions; if `nil`, messages are captured and questions cannot be
    ///     answered.
    package init(
        _ words: [String], environment: [String: String], program: String, input: [UInt8]? = nil,
        outputScreen: PseudoTerminal? = nil, screen: PseudoTerminal? = nil, devices: SoundDevices,
        waits: ProgressClock = .continuous
    ) throws {
        let variable: @Sendable (String) -> String? = { environment[$0] }
        let (reading, writing) = try Descriptor.pipe()
        let source = screen == nil || input != nil ? try Self.source(of: input) : nil
        let output = outputScreen?.program ?? writing.raw
        let errors =
            screen.map { TextOutput(descriptor: $0.program, environment: variable) }
            ?? TextOutput(
                style: TerminalStyle(isTerminal: false, environment: variable),
                columns: { TerminalStyle.columns(of: -1, environment: variable) },
                send: { [state] text in state.update { $0.errors += text } })
        let context = CommandContext(
            output: TextOutput(descriptor: output, environment: variable), soundOutput: output, errors: errors,
            input: source?.raw ?? screen?.program ?? -1, terminal: screen.map { .descriptor($0.program) } ?? .none,
            environment: environment, executable: program, version: "0.0", interruption: interruption,
            devices: devices, waits: waits, executor: Self.executor)
        startThread("output") { [state] in Self.read(reading, into: state) }
        let end = Mutex<Descriptor?>(writing)
        startThread("command") { [state] in
            let code = withExtendedLifetime((source, screen, outputScreen)) { Program.run(words, in: context) }
            end.withLock { $0 = nil }
            state.update { $0.code = code }
        }
    }

    /// Simulates Ctrl-C or another signal.
    package func interrupt(by signal: Int32 = SIGINT) { interruption.interrupt(by: signal) }

    package var hasEnded: Bool { state.read { $0.code != nil && $0.isOutputRead } }

    /// Waits until the messages contain a string.
    package func waitForErrors(_ text: String, within limit: Duration = .seconds(300)) throws {
        guard state.wait(timeout: limit, until: { $0.errors.contains(text) ? true : nil }) == nil else { return }
        throw TimeOut(description: "Waited \(limit) for \(text), but the messages are: \(state.read(\.errors))")
    }

    package func finish() throws -> ChildResult { try finish(within: .seconds(300)) }

    package func finish(within limit: Duration) throws -> ChildResult {
        let result = state.wait(timeout: limit) { state in
            state.isOutputRead
                ? state.code.map { ChildResult(code: $0, output: state.output, errors: state.errors) } : nil
        }
        if let result { return result }
        throw TimeOut(description: "Waited for the command to end; its messages are: \(state.read(\.errors))")
    }

    private static func source(of input: [UInt8]?) throws -> Descriptor {
        guard let input else { return try Descriptor.open("/dev/null", O_RDONLY) }
        let (reading, writing) = try Descriptor.pipe()
        // The input may exceed the pipe's capacity, so it is written on a separate thread.
        startThread("input") {
            // A command may exit without reading all of its input.
            try? withoutBrokenPipeSignal { () throws(Errno) in try writing.writeAll(input) }
        }
        return reading
    }

    private static func read(_ pipe: Descriptor, into state: Monitor<State>) {
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { chunk.deallocate() }
        while let count = try? pipe.read(into: chunk), count > 0 {
            state.update { $0.output.append(contentsOf: chunk[..<count]) }
        }
        state.update { $0.isOutputRead = true }
    }
}
