package import EngineProcesses
package import EngineWire
package import SpeechEngines
import System

/// A lane of a test engine.
package final class TestLane: SpeakingLane {
    private struct State {
        var requests: [LaneRequest] = []
        var cancels = 0
        var isHeld = false
        var isDead = false
    }
    private let state = Monitor(State())
    private let engine: TestEngine

    package init(_ engine: TestEngine) { self.engine = engine }

    package var isAlive: Bool { state.read { !$0.isDead } }
    package var requests: [LaneRequest] { state.read { $0.requests } }
    package var cancels: Int { state.read { $0.cancels } }

    /// Blocks until a request has arrived.
    package func waitForRequest() { _ = state.wait { $0.requests.isEmpty ? nil : true } }

    func release() { state.update { $0.isHeld = false } }

    package func cancel() {
        state.update { state in
            state.cancels += 1
            state.isHeld = false
        }
    }

    package func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        // In this order: a cancel from here on is seen below.
        let before = state.read { $0.cancels }
        if isStopped() { return false }
        let (isHeld, releases, crashingWord) = engine.began(request.text.content)
        state.update { state in
            state.requests.append(request)
            state.isHeld = isHeld && state.cancels == before
        }
        // The engine may have been released, and held again, before this lane was seen to wait.
        if engine.releases != releases { release() }
        _ = state.wait { $0.isHeld ? nil : true }
        let wasCancelled = { self.state.read { $0.cancels != before } }
        guard !wasCancelled(), part(.begin(sampleRate: engine.sampleRate, channels: 1)) else { return false }
        let text = Array(request.text.content.utf8)
        var offset = 0
        for word in text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
            let range = offset..<offset + word.count
            let frame = offset * engine.framesPerByte
            offset = min(range.upperBound + 1, text.count)
            if request.wants.contains(.word), !word.isEmpty {
                let event = SpeechEvent(kind: .word, frame: UInt64(frame), frameCount: 0, text: range)
                guard part(.event(event)) else { return false }
            }
            let count = (offset - range.lowerBound) * engine.framesPerByte
            // At most as many samples at once as a real engine sends.
            for start in stride(from: 0, to: count, by: 4096) {
                let samples = [Float](repeating: 0.25, count: min(4096, count - start))
                guard !wasCancelled(), part(.audio(samples)) else { return false }
            }
            if let crashingWord, String(decoding: word, as: UTF8.self).contains(crashingWord) {
                state.update { $0.isDead = true }
                throw EngineFailure(engine: TestEngine.id, reason: .crashed(signal: 11, .speaking))
            }
        }
        return !wasCancelled()
    }
}
