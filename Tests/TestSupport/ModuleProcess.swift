import Glibc
import Testing

/// `sd_synthhost` with this build's engines, started just as speech-dispatcher would start it. Use it on a single
/// thread.
package final class ModuleProcess {
    package let process: ChildProcess
    private var messages = ModuleMessages()
    private var read = 0

    /// - Parameter options: The path of the module's configuration.
    package init(_ home: UserHome, options: String? = nil, adding variables: [String: String?] = [:]) throws {
        var environment = home.environment
        for (name, value) in variables { environment[name] = value }
        process = try ChildProcess(
            "\(home.programs)/sd_synthhost", arguments: options.map { [Array($0.utf8)] } ?? [],
            environment: environment, input: .pipe)
    }

    package func send(_ text: String) throws { try process.feed(Array(text.utf8)) }

    package func next(_ waitedFor: String = "a message") throws -> ModuleMessages.Message {
        while true {
            if let message = messages.next() { return message }
            let seen = read
            try process.wait(waitedFor) { $0.output.count > seen }
            messages.append(process.output[read...])
            read = process.output.count
        }
    }

    package func ask(_ request: String) throws -> String {
        try send(request + "\n")
        return try next(request).last
    }

    /// Sends the initialization that the server would send.
    package func start() throws {
        #expect(try ask("INIT") == "299 OK LOADED SUCCESSFULLY")
        _ = try ask("AUDIO")
        #expect(try ask("audio_output_method=server\n.") == "203 OK AUDIO INITIALIZED")
    }

    /// Returns all events for one message, up to its end.
    package func events() throws -> [ModuleMessages.Message] {
        var events: [ModuleMessages.Message] = []
        while true {
            events.append(try next("the end of a message"))
            if let code = events.last?.code, ["702", "703", "704"].contains(code) { return events }
        }
    }

    package func begin(_ text: String) throws {
        _ = try ask("SPEAK")
        #expect(try ask("\(text)\n.") == "200 OK SPEAKING")
    }

    package func speak(_ text: String) throws -> [ModuleMessages.Message] {
        try begin(text)
        return try events()
    }

    /// The module's engine processes.
    package var engines: [Int32] { ProcessTable.children(of: process.identifier) }
}
