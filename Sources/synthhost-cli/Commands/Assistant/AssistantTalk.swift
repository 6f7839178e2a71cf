import SynthCommandSyntax
import SynthJSON
import SynthService
import SynthSystem

/// A Model Context Protocol session: JSON-RPC 2.0 with one message per line (modelcontextprotocol.io). A single thread
/// passes messages to the session, and each tool call runs on its own thread.
final class AssistantTalk: Sendable {
    private struct State {
        /// The calls, keyed by their IDs as JSON.
        var calls: [String: AssistantCall] = [:]
        /// The number of running calls, including cancelled calls.
        var running = 0
    }
    private let tools: AssistantTools
    private let version: String
    private let write: @Sendable (String) -> Void
    private let state = Monitor(State())

    /// The supported versions, oldest first. Version 2025-03-26 is not supported, because it requires JSON-RPC
    /// batching.
    private static let protocols = ["2024-11-05", "2025-06-18"]
    private static let maximumCalls = 16

    /// - Parameter write: sends a line. May be called on any thread.
    init(_ tools: AssistantTools, version: String, write: @escaping @Sendable (String) -> Void) {
        self.tools = tools
        self.version = version
        self.write = write
    }

    /// Responds to a message that is too long.
    func refuse() { answer(.parse, "The message is too long.", to: .null) }

    func take(_ line: [UInt8]) {
        switch AssistantMessage(line) {
        case .nothing: break
        case .note(let method, let parameters): note(method, parameters)
        case .request(let method, let parameters, let id): answer(method, parameters, id)
        case .refused(let fault, let reason, let id): answer(fault, reason, to: id)
        }
    }

    // MARK: - Methods

    private func answer(_ method: String, _ parameters: JSONNode, _ id: JSONNode.Value) {
        switch method {
        case "initialize":
            let asked = parameters.text("protocolVersion")
            let spoken = asked.flatMap { Self.protocols.contains($0) ? $0 : nil } ?? Self.protocols.last
            answer(
                [
                    .init("protocolVersion", spoken ?? ""),
                    .init("capabilities", .object([.init("tools", .object([]))])),
                    .init("serverInfo", .object([.init("name", "synthhost"), .init("version", version)])),
                ], to: id)
        case "ping": answer([], to: id)
        case "tools/list": answer([.init("tools", .array(AssistantTools.list))], to: id)
        case "tools/call": call(parameters, id)
        default: answer(.method, "The method \"\(method.prefix(100))\" is unknown.", to: id)
        }
    }

    private func note(_ method: String, _ parameters: JSONNode) {
        guard method == "notifications/cancelled", let id = parameters.value(at: ["requestId"]) else { return }
        // The client does not expect a response to a cancelled call.
        let call = state.update { $0.calls.removeValue(forKey: Self.key(id)) }
        call?.cancellation.cancel()
    }

    private func call(_ parameters: JSONNode, _ id: JSONNode.Value) {
        guard let name = parameters.text("name"), let tool = AssistantTools.Tool(rawValue: name) else {
            return answer(.parameters, "No tool has this name.", to: id)
        }
        let values = parameters.value(at: ["arguments"]) ?? .object([])
        guard case .object = values else { return answer(.parameters, "\"arguments\" must be an object.", to: id) }
        let call = AssistantCall(tool, AssistantArguments(JSONNode(values)))
        let key = Self.key(id)
        let isTaken = state.update { state in
            guard state.calls[key] == nil, state.running < Self.maximumCalls else { return false }
            state.calls[key] = call
            state.running += 1
            return true
        }
        guard isTaken else {
            return answer(.request, "Too many requests are running, or two requests have the same ID.", to: id)
        }
        let isRunning = startThread("tool") {
            let result = Result { try self.tools.run(call).members }
            // After the response, the client can reuse the ID.
            let isAwaited = self.state.read { $0.calls[key] === call }
            if isAwaited {
                switch result {
                case .success(let members): self.answer(members, to: id)
                case .failure(let error as UsageError): self.answer(.parameters, error.message, to: id)
                case .failure(let error):
                    let failure = CommandFailure(error)
                    let words = [failure.message, failure.remedy].compactMap(\.self).filter { !$0.isEmpty }
                    self.answer(AssistantResult(words.joined(separator: " "), isError: true).members, to: id)
                }
            }
            call.cancellation.set {}
            self.state.update { state in
                if state.calls[key] === call { state.calls[key] = nil }
                state.running -= 1
            }
        }
        if !isRunning {
            state.update { state in
                state.calls[key] = nil
                state.running -= 1
            }
            answer(AssistantResult("The system does not allow more threads.", isError: true).members, to: id)
        }
    }

    // MARK: - Ending

    /// Handles the end of the input: cancels calls that use the microphone or the speakers, and blocks until all other
    /// calls have been answered.
    func end() {
        for call in state.read({ $0.calls.values }) where call.isHeard { call.cancellation.cancel() }
        _ = state.wait { $0.running == 0 ? true : nil }
    }

    /// Cancels all calls. Does not block.
    func cancelAll() { for call in state.read({ $0.calls.values }) { call.cancellation.cancel() } }

    // MARK: - Messages

    private static func key(_ id: JSONNode.Value) -> String { JSONWriter.line(of: JSONNode(id)) }

    private func answer(_ result: [JSONNode.Member], to id: JSONNode.Value) {
        send(.init("result", .object(result)), to: id)
    }

    private func answer(_ fault: AssistantMessage.Fault, _ message: String, to id: JSONNode.Value) {
        send(.init("error", .object([.init("code", fault.rawValue), .init("message", message)])), to: id)
    }

    private func send(_ member: JSONNode.Member, to id: JSONNode.Value) {
        write(JSONWriter.line(of: JSONNode(.object([.init("jsonrpc", "2.0"), .init("id", id), member]))))
    }
}

/// A JSON-RPC 2.0 message from a client.
enum AssistantMessage {
    /// JSON-RPC error codes.
    enum Fault: Int {
        case parse = -32700
        case request = -32600
        case method = -32601
        case parameters = -32602
    }
    case request(method: String, JSONNode, id: JSONNode.Value)
    case note(method: String, JSONNode)
    case refused(Fault, String, id: JSONNode.Value)
    /// An empty line, or a response to a request that the program never sent.
    case nothing

    private static let maximumValues = 10_000

    init(_ line: [UInt8]) {
        self = .nothing
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return }
        let message: JSONNode
        do {
            message = try JSONReader.read(line, maximumValues: Self.maximumValues)
        } catch {
            self = .refused(.parse, "The message is not JSON: \(error.reason).", id: .null)
            return
        }
        let id = message.value(at: ["id"])
        guard case .object = message.value, message.value(at: ["jsonrpc"]) == .string("2.0") else {
            self = .refused(.request, "The message is not JSON-RPC 2.0.", id: .null)
            return
        }
        guard case .string(let method)? = message.value(at: ["method"]) else {
            if message.value(at: ["result"]) != nil || message.value(at: ["error"]) != nil { return }
            self = .refused(.request, "The message has no method.", id: id.flatMap(Self.usable) ?? .null)
            return
        }
        let parameters = message.value(at: ["params"]) ?? .object([])
        guard let id else {
            self = .note(method: method, JSONNode(parameters))
            return
        }
        guard let id = Self.usable(id) else {
            self = .refused(.request, "The ID must be a string or a number.", id: .null)
            return
        }
        guard case .object = parameters else {
            self = .refused(.parameters, "\"params\" must be an object.", id: id)
            return
        }
        self = .request(method: method, JSONNode(parameters), id: id)
    }

    private static func usable(_ id: JSONNode.Value) -> JSONNode.Value? {
        switch id {
        case .string, .number: id
        default: nil
        }
    }
}

/// A running tool call. Thread-safe.
final class AssistantCall: Sendable {
    let tool: AssistantTools.Tool
    let values: AssistantArguments
    /// Whether the call uses the microphone or the speakers.
    let isHeard: Bool
    let cancellation = Cancellation()

    init(_ tool: AssistantTools.Tool, _ values: AssistantArguments) {
        self.tool = tool
        self.values = values
        isHeard = tool == .listen || tool == .speak && !values.has("file")
    }
}

extension JSONNode {
    func text(_ name: String) -> String? {
        if case .string(let text)? = value(at: [name]) { text } else { nil }
    }
}
