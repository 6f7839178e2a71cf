import Glibc
import SynthHost
import SynthSystem
import Testing
import TestSupport

@testable import SynthService
@testable import SynthSpeechDispatcher

/// A module in this process, with the server's ends of its pipes, for use on a single thread.
final class ModuleConversation {
    struct Late: Error {
        let waitedFor: String
    }

    let module: SpeechModule
    let notes = Monitor<[ModuleNote]>([])
    private let answers: Descriptor
    private var requests: Descriptor?
    private var messages = ModuleMessages()
    private let ended = Monitor(false)
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    static let limit = Duration.seconds(600)

    init(_ service: SpeechService, _ options: ModuleOptions = ModuleOptions()) throws {
        let (input, requests) = try Descriptor.pipe()
        let (answers, output) = try Descriptor.pipe()
        (self.answers, self.requests) = (answers, requests)
        module = try SpeechModule(service, options, input: input, output: output) { [notes] note in
            notes.update { $0.append(note) }
        }
        startThread("module") { [module, ended] in
            _ = module.run()
            ended.update { $0 = true }
        }
    }

    deinit {
        module.stop()
        chunk.deallocate()
    }

    func send(_ text: String) throws {
        try requests?.writeAll(Array(text.utf8))
    }

    /// Closes the server's ends of the pipes.
    func leave() { requests = nil }

    /// Whether the module ends on its own.
    func hasEnded() -> Bool { ended.wait(timeout: Self.limit) { $0 ? true : nil } == true }

    func next(_ waitedFor: String = "a message") throws -> ModuleMessages.Message {
        while true {
            if let message = messages.next() { return message }
            guard try Poll.wait([(answers.raw, events: POLLIN)], timeout: Self.limit)[0] != 0 else {
                throw Late(waitedFor: waitedFor)
            }
            let count = try answers.read(into: chunk)
            guard count > 0 else { throw Late(waitedFor: "\(waitedFor), but the module closed its output") }
            messages.append(chunk[..<count])
        }
    }

    /// Sends a request and returns the response.
    func ask(_ request: String) throws -> String {
        try send(request + "\n")
        return try next(request).last
    }

    /// Sends a block and returns the response to the end of the block.
    func ask(_ request: String, _ lines: String) throws -> String {
        _ = try ask(request)
        return try ask(lines + "\n.")
    }

    /// Returns all events for one message.
    func events() throws -> [ModuleMessages.Message] {
        var events: [ModuleMessages.Message] = []
        while true {
            events.append(try next("the end of a message"))
            if let code = events.last?.code, ["702", "703", "704"].contains(code) { return events }
        }
    }

    /// Speaks the complete text.
    func speak(_ text: String) throws -> [ModuleMessages.Message] {
        #expect(try ask("SPEAK", text) == "200 OK SPEAKING")
        return try events()
    }
}
