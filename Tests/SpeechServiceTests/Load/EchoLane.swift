import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthSystem
import TestNumbers

/// A lane whose audio encodes its text. Each byte becomes several frames with a specific level, so that swapped, lost
/// or duplicated parts can be detected in the samples.
final class EchoLane: SpeakingLane {
    static let framesPerByte = 40
    static let sampleRate = 16_000
    private let state = Monitor((cancels: 0, isSpeaking: false))
    /// Counts requests that arrive while another one is running.
    private let overlaps: Monitor<Int>

    init(overlaps: Monitor<Int>) { self.overlaps = overlaps }

    var isAlive: Bool { true }

    func cancel() { state.update { $0.cancels += 1 } }

    /// Returns the 16-bit level for a byte. It is never zero, which represents silence.
    static func level(of byte: UInt8) -> Int16 { Int16(byte) * 64 + 64 }

    func speak(
        _ request: LaneRequest, unless isStopped: () -> Bool, whileReplaceable isReplaceable: () -> Bool,
        _ part: (SpeechPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        let (before, wasSpeaking) = state.update { state in
            defer { state.isSpeaking = true }
            return (state.cancels, state.isSpeaking)
        }
        if wasSpeaking { overlaps.update { $0 += 1 } }
        defer { state.update { $0.isSpeaking = false } }
        if isStopped() { return false }
        guard part(.begin(sampleRate: Self.sampleRate, channels: 1)) else { return false }
        for byte in request.text.content.utf8 {
            if state.read({ $0.cancels != before }) { return false }
            let samples = [Float](repeating: Float(Self.level(of: byte)) / 32_768, count: Self.framesPerByte)
            guard part(.audio(samples)) else { return false }
        }
        return true
    }
}

/// Decodes the text from an `EchoLane`'s audio in 16-bit samples; nil if the audio is damaged. Pauses are ignored.
func echoed(_ sound: [UInt8]) -> String? {
    guard let samples = PCMBytes.samples(sound)?.filter({ $0 != 0 }) else { return nil }
    var bytes: [UInt8] = []
    var start = 0
    while start < samples.count {
        let piece = samples[start..<min(start + EchoLane.framesPerByte, samples.count)]
        guard let byte = UInt8(exactly: (Int(piece[start]) - 64) / 64), piece.allSatisfy({ $0 == piece[start] }) else {
            return nil
        }
        bytes.append(byte)
        start += piece.count
    }
    return String(decoding: bytes, as: UTF8.self)
}
