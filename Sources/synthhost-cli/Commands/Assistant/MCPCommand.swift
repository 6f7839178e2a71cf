import Glibc
import SynthCommandSyntax
import SynthHost
import SynthService
import SynthSystem

/// `synthhost mcp`: lets a language model speak and listen through the Model Context Protocol on standard input and
/// output.
struct MCPCommand: Command {
    let context: CommandContext

    /// The maximum message size in bytes, which leaves room for text of the maximum length even if every character is
    /// escaped.
    private static let longestMessage = 8 << 20

    func run() throws {
        let cancellation = context.cancellation(leavesAtOnce: true)
        let configuration = try context.configuration()
        let limits = ServiceLimits()
        let warm = WarmModels(limits)
        let host = try context.host(configuration) { $0.lanes = warm }
        let service = SpeechService(host, warm, limits)
        defer { service.close() }
        let tools = AssistantTools(
            context: context, host: host, service: service,
            transcription: TranscriptionService(host, warm, limits) { service.noteUse() })
        defer { service.abandon() }
        let output = Monitor<(context: CommandContext, isBroken: Bool)>((context, false))
        let talk = AssistantTalk(tools, version: context.version) { line in
            output.update { output in
                // The client has stopped reading. Calls that are still running end when the input ends.
                do { try output.context.print(data: line) } catch { output.isBroken = true }
            }
        }
        cancellation.setExitAction { service.abandon() }
        cancellation.set { [interruption = context.interruption] in
            talk.cancelAll()
            service.abandon()
            interruption.leave()
        }
        do { try read(talk) { output.read { $0.isBroken } } } catch {
            throw CommandFailure(unreadable: "Standard input", error)
        }
        talk.end()
    }

    /// Passes each line of the input to the session until the input ends or `isBroken` returns true.
    private func read(_ talk: AssistantTalk, unless isBroken: () -> Bool) throws(Errno) {
        let input = try context.standardInput()
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { chunk.deallocate() }
        var line: [UInt8] = []
        var isTooLong = false
        while !isBroken() {
            let count = try input.read(into: chunk)
            if count == 0 { break }
            var rest = UnsafeRawBufferPointer(rebasing: chunk[..<count])[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                if isTooLong || line.count > Self.longestMessage { talk.refuse() } else { talk.take(line) }
                (line, isTooLong) = ([], false)
                rest = rest[(end + 1)...]
            }
            line += rest
            if line.count > Self.longestMessage { (line, isTooLong) = ([], true) }
        }
        if isTooLong { talk.refuse() } else if !line.isEmpty { talk.take(line) }
    }
}
