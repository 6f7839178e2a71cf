import SynthEngineProcesses
import SynthEngineWire
import SynthSystem

/// The forms of messages that one synthhost process reads from another. Arbitrary bytes are tried as each form.
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

    /// The bytes after reading and writing them; nil if they do not have this form.
    package func again(_ bytes: ArraySlice<UInt8>) -> [UInt8]? { reading(of: bytes)?.written }

    /// The rules violated when the bytes are read; empty if there are none.
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
        // Names in different encodings are equal as strings, but engines compare bytes.
        let names = zip(description.voices, again.voices).map { ($0.speakers, $1.speakers) }
        return names.allSatisfy { $0.elementsEqual($1) { $0.utf8.elementsEqual($1.utf8) } }
            ? [] : ["speakers of another voice"]
    }
}

/// A value that was read, and the violated rules.
private struct FrameReading {
    let written: [UInt8]
    private(set) var violations: [String] = []

    /// nil if the bytes cannot be read.
    init?<Value: Equatable>(
        _ bytes: ArraySlice<UInt8>, by read: (ArraySlice<UInt8>) -> Value?, _ write: (Value) -> [UInt8],
        _ further: (Value, Value) -> [String] = { _, _ in [] }
    ) {
        guard let value = read(bytes) else { return nil }
        written = write(value)
        // A reader must not keep more data than was sent.
        if written.count > bytes.count { violations.append("\(written.count) bytes of \(bytes.count)") }
        guard let again = read(written[...]) else {
            violations.append("it cannot be read again")
            return
        }
        if write(again) != written { violations.append("it is written in two different forms") }
        // Long text is truncated on writing. A value with a NaN does not equal itself.
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

    /// The words as a process reads its arguments.
    static func of(_ bytes: ArraySlice<UInt8>) -> [String] { split(bytes).map { String(decoding: $0, as: UTF8.self) } }

    static func bytes(_ words: [String]) -> [UInt8] { Array(words.map { Array($0.utf8) }.joined(separator: [0])) }

    static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8] { self.bytes(of(bytes)) }
}
