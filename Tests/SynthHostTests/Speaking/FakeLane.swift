import EngineWire
import Engines
import System

/// A lane without an engine: each byte of a text lasts `framesPerByte` frames of one steady level, and each word reports
/// itself before its first frame. A text that holds "crash" ends as a crashed engine does, after its first word.
final class FakeLane: SpeakingLane {
    static let sampleRate = 16_000
    let framesPerByte: Int
    private struct State {
        var requests: [EngineRequest] = []
        var cancelled = 0
        var isHeld = false
        var isDead = false
    }
    private let state: Monitor<State>

    /// - Parameter isHeld: speaks only once it was released.
    init(framesPerByte: Int = 1600, isHeld: Bool = false) {
        self.framesPerByte = framesPerByte
        state = Monitor(State(isHeld: isHeld))
    }

    var isAlive: Bool { state.read { !$0.isDead } }
    var requests: [EngineRequest] { state.read { $0.requests } }
    var cancels: Int { state.read { $0.cancelled } }

    /// Blocks until a request came.
    func waitForRequest() { _ = state.wait { $0.requests.isEmpty ? nil : true } }

    func release() { state.update { $0.isHeld = false } }

    func cancel() {
        state.update { state in
            state.cancelled += 1
            state.isHeld = false
        }
    }

    func speak(
        _ request: EngineRequest, unless isStopped: () -> Bool, _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        if isStopped() { return false }
        let before = state.update { state in
            state.requests.append(request)
            return state.cancelled
        }
        _ = state.wait { $0.isHeld ? nil : true }
        let wasStopped = { self.state.read { $0.cancelled != before } }
        guard !wasStopped() else { return false }
        let text = Array(request.text.content.utf8)
        guard part(.begin(sampleRate: Self.sampleRate, channels: 1)) else { return false }
        var offset = 0
        var frame = 0
        for word in text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
            let range = offset..<offset + word.count
            offset = min(range.upperBound + 1, text.count)
            if request.wants.contains(.word), !word.isEmpty {
                guard
                    part(.event(SpeechEvent(kind: .word, frame: UInt64(frame), frameCount: 0, text: range)))
                else { return false }
            }
            let count = (offset - range.lowerBound) * framesPerByte
            // No more in one piece than an engine gives.
            for start in stride(from: 0, to: count, by: 4096) {
                let samples = [Float](repeating: 0.25, count: min(4096, count - start))
                guard !wasStopped(), part(.audio(samples)) else { return false }
            }
            frame += count
            if String(decoding: word, as: UTF8.self).hasPrefix("crash") {
                state.update { $0.isDead = true }
                throw EngineFailure(engine: "fake", reason: .crashed(signal: 11, .speaking))
            }
        }
        return !wasStopped()
    }
}
