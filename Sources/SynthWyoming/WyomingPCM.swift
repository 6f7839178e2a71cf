import SynthAudio

/// The form of sound that comes: whole numbers, the lowest byte first.
struct WyomingPCM: Equatable, Sendable {
    let format: AudioFormat
    /// Bytes of a sample.
    let width: Int

    /// Nil if it is none that is read here.
    init?(_ event: WyomingEvent) {
        func number(_ name: String, _ usual: Double) -> Int? { Int(exactly: event.number(name) ?? usual) }
        guard let rate = number("rate", 16_000), let width = number("width", 2), let channels = number("channels", 1),
            (2...4).contains(width)
        else { return nil }
        let format = AudioFormat(sampleRate: rate, channels: channels)
        guard format.isUsable else { return nil }
        self.format = format
        self.width = width
    }

    /// Of whole frames, of some thousand samples.
    var bytesOfPiece: Int { max(1, 4096 / format.channels) * format.channels * width }

    /// Of whole frames; what is left over is dropped.
    func samples(_ bytes: [UInt8]) -> [Float] {
        let count = bytes.count / (width * format.channels) * format.channels
        let scale = Float(1) / Float(Int32.max)
        return (0..<count).map { index in
            var number: UInt32 = 0
            for place in 0..<width { number |= UInt32(bytes[index * width + place]) << UInt32((4 - width + place) * 8) }
            return Float(Int32(bitPattern: number)) * scale
        }
    }
}
