import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

/// The formats of messages that one synthhost process reads from another. The checks read arbitrary bytes in each
/// format.
package enum FrameForm: String, CaseIterable, Sendable {
    case controlRequest = "control-request"
    case controlReply = "control-reply"
    case loadRequest = "load-request"
    case laneRequest = "lane-request"
    case laneReply = "lane-reply"
    case hearingInput = "hearing-input"
    case hearingReply = "hearing-reply"
    case engineDescription = "engine-description"
    case recognizerDescription = "recognizer-description"
    case engineNeed = "engine-need"
    case refusal
    case engineFailure = "engine-failure"
    case checkMessage = "check-message"
    case programStart = "program-start"
    /// Words separated by zero bytes.
    case workerArguments = "worker-arguments"
    case workerStart = "worker-start"

    /// The bytes after decoding and encoding; nil if they are invalid in this format.
    package func again(_ bytes: ArraySlice<UInt8>) -> [UInt8]? { reading(of: bytes)?.written }

    /// The rules that the reader violates for the bytes; empty if there are none.
    package func violations(in bytes: [UInt8]) -> [String] {
        let found = reading(of: bytes[...])?.violations ?? []
        return self == .workerArguments ? found + Admission.violations(ofArguments: Words.split(bytes[...])) : found
    }

    private func reading(of bytes: ArraySlice<UInt8>) -> FrameReading? {
        switch self {
        case .controlRequest: frame(ControlRequest.self, bytes)
        case .controlReply: frame(ControlReply.self, bytes)
        case .loadRequest: frame(LoadRequest.self, bytes)
        case .laneRequest: frame(LaneRequest.self, bytes)
        case .laneReply: frame(LaneReply.self, bytes)
        case .hearingInput: frame(RecognitionInput.self, bytes)
        case .hearingReply: frame(RecognitionReply.self, bytes)
        case .recognizerDescription: frame(RecognizerDescription.self, bytes)
        case .engineDescription: frame(EngineDescription.self, bytes, Self.violations)
        case .engineNeed: frame(EngineNeed.self, bytes) { need, _ in Admission.violations(of: need.kind) }
        case .refusal: frame(Refusal.self, bytes)
        case .engineFailure: frame(EngineFailure.self, bytes)
        case .checkMessage: frame(CheckMessage.self, bytes)
        case .programStart:
            FrameReading(bytes, by: { ProgramStart(bytes: $0) }, \.bytes) { start, _ in Admission.violations(of: start)
            }
        case .workerArguments:
            FrameReading(
                Words.repaired(bytes)[...], by: { WorkerArguments(words: Words.of($0)) }, { Words.bytes($0.words) }
            ) { arguments, _ in
                arguments.allowed.flatMap(Admission.violations(of:))
                    + (WorkerStart(words: arguments.words) == nil ? [] : ["a worker that is a starter"])
            }
        case .workerStart:
            FrameReading(
                Words.repaired(bytes)[...], by: { WorkerStart(words: Words.of($0)) }, { Words.bytes($0.words) })
        }
    }

    private func frame<Value: Frame & Equatable>(
        _: Value.Type, _ bytes: ArraySlice<UInt8>, _ further: (Value, Value) -> [String] = { _, _ in [] }
    ) -> FrameReading? {
        FrameReading(bytes, by: { try? Value(frameBytes: $0) }, \.frameBytes, further)
    }

    private static func violations(of description: EngineDescription, and again: EngineDescription) -> [String] {
        // Names with different encodings are equal as strings, but engines compare bytes.
        let names = zip(description.voices, again.voices).map { ($0.speakers, $1.speakers) }
        return names.allSatisfy { $0.elementsEqual($1) { $0.utf8.elementsEqual($1.utf8) } }
            ? [] : ["speaker names with different bytes"]
    }
}

/// A decoded value, and the rules that it violates.
private struct FrameReading {
    let written: [UInt8]
    private(set) var violations: [String] = []

    /// nil if the bytes cannot be decoded.
    init?<Value: Equatable>(
        _ bytes: ArraySlice<UInt8>, by read: (ArraySlice<UInt8>) -> Value?, _ write: (Value) -> [UInt8],
        _ further: (Value, Value) -> [String] = { _, _ in [] }
    ) {
        guard let value = read(bytes) else { return nil }
        written = write(value)
        // A reader must not keep more data than was sent.
        if written.count > bytes.count { violations.append("\(bytes.count) bytes became \(written.count) bytes") }
        guard let again = read(written[...]) else {
            violations.append("the encoded value cannot be decoded")
            return
        }
        if write(again) != written { violations.append("the decoded value has two encodings") }
        // Encoding truncates long text. A value that contains a NaN does not equal itself.
        if bytes.count <= longestWords, read(bytes) == value, again != value {
            violations.append("\(value) became \(again)")
        }
        violations += further(value, again)
    }
}

/// Converts between the command line of a process and bytes.
enum Words {
    static func split(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        bytes.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    }

    /// The arguments that a process would receive.
    static func of(_ bytes: ArraySlice<UInt8>) -> [String] { split(bytes).map { String(decoding: $0, as: UTF8.self) } }

    static func bytes(_ words: [String]) -> [UInt8] { Array(words.map { Array($0.utf8) }.joined(separator: [0])) }

    static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8] { self.bytes(of(bytes)) }
}
