/// A push parser for the server's messages that accepts input in chunks of any size. This value type never blocks,
/// and its memory use is bounded.
struct ModuleReader {
    /// The maximum size, in bytes, of a message text or of any other line.
    static let longestText = 1 << 20
    private static let longestLine = 4096

    private struct Block {
        let kind: ModuleBlock
        var assignments = ModuleAssignments()
        var text: [UInt8] = []
        var lines = 0
        var isTooLong = false
    }
    private var input: [UInt8] = []
    private var position = 0
    private var line: [UInt8] = []
    private var isLineTooLong = false
    private var block: Block?

    init() {}

    /// Appends received bytes. The caller must consume all requests before appending more bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) { input.append(contentsOf: bytes) }

    /// Returns the next request, or nil if more bytes are needed.
    mutating func next() -> ModuleRequest? {
        while position < input.count {
            let byte = input[position]
            position += 1
            guard byte == 0x0A else {
                if line.count < Self.longestText { line.append(byte) } else { isLineTooLong = true }
                continue
            }
            if line.last == 0x0D { line.removeLast() }
            let request = block == nil ? command() : member()
            line.removeAll(keepingCapacity: line.count <= Self.longestLine)
            isLineTooLong = false
            if let request { return request }
        }
        input.removeAll(keepingCapacity: true)
        position = 0
        return nil
    }

    private mutating func command() -> ModuleRequest {
        guard !isLineTooLong, line.count <= Self.longestLine else { return .unknown }
        let text = String(decoding: line, as: UTF8.self)
        if let kind = ModuleBlock(command: text) {
            block = Block(kind: kind)
            return .open(kind)
        }
        switch text {
        case "INIT": return .start
        case "STOP": return .stop
        case "PAUSE": return .pause
        case "QUIT": return .quit
        default: break
        }
        let words = text.split(separator: " ").map(String.init)
        switch words.first {
        case "LIST" where words.count > 1 && words[1] == "VOICES":
            return words.count > 4
                ? .badSyntax
                : .listVoices(
                    language: words.count > 2 ? words[2] : nil, variant: words.count > 3 ? words[3] : nil)
        case "DEBUG": return debug(words)
        default: return .unknown
        }
    }

    private func debug(_ words: [String]) -> ModuleRequest {
        switch words.count > 1 ? words[1] : "" {
        case "ON" where words.count > 2: .debug(file: words[2...].joined(separator: " "))
        case "OFF" where words.count == 2: .debug(file: nil)
        default: .badSyntax
        }
    }

    /// Processes a line of a block. Returns the request at the end of the block.
    private mutating func member() -> ModuleRequest? {
        guard var block = block.take() else { return nil }
        if line == [UInt8(ascii: ".")], !isLineTooLong { return request(of: block) }
        switch block.kind {
        case .audio, .logLevel, .settings:
            block.assignments.add(
                isLineTooLong || line.count > Self.longestLine ? "" : String(decoding: line, as: UTF8.self))
        case .message: append(to: &block)
        }
        self.block = block
        return nil
    }

    private func append(to block: inout Block) {
        block.lines += 1
        // The server doubles a dot at the beginning of a line, so remove one of the two.
        let text = line.first == UInt8(ascii: ".") ? line.dropFirst() : line[...]
        if isLineTooLong || block.text.count + text.count >= Self.longestText { block.isTooLong = true }
        if block.isTooLong {
            block.text = []
        } else {
            if block.lines > 1 { block.text.append(0x0A) }
            block.text += text
        }
    }

    private func request(of block: Block) -> ModuleRequest {
        switch block.kind {
        case .audio: return .audio(block.assignments)
        case .logLevel: return .logLevel(block.assignments)
        case .settings: return .set(block.assignments)
        case .message(let kind):
            if block.isTooLong || block.text.isEmpty { return .refuse(.cannotSpeak) }
            if kind != .text, block.lines > 1 { return .refuse(.severalLines) }
            return .say(ModuleMessage(kind: kind, text: String(decoding: block.text, as: UTF8.self)))
        }
    }
}
