import SynthAudio

/// The sink of a queue, which begins with the first block.
struct QueueOutput {
    let sink: any AudioSink
    let format: AudioFormat
    /// Handed to the sink.
    private(set) var frames = 0
    private(set) var hasBegun = false

    /// How long before a device runs dry the sound goes on without what is late.
    private static let margin = Duration.milliseconds(40)

    init(_ sink: any AudioSink, _ format: AudioFormat) {
        self.sink = sink
        self.format = format
    }

    /// How long one may wait for more without a gap in what sounds.
    var patience: Duration {
        guard hasBegun else { return .zero }
        return max(.zero, .seconds(Double(sink.queuedFrames()) / Double(format.sampleRate)) - Self.margin)
    }

    /// Blocks while the sink takes nothing more.
    mutating func write(_ samples: [Float]) throws(ItemFailure) {
        do throws(AudioError) {
            if !hasBegun { try sink.begin(format) }
            hasBegun = true
            guard !samples.isEmpty else { return }
            try sink.write(samples[...])
            frames += samples.count / format.channels
        } catch {
            throw .failure(.audio(error))
        }
    }

    /// Ends the sink, unless nothing began: a file that was there stays as it was.
    ///
    /// - Parameter isWhole: whether all of it came.
    func finish(isWhole: Bool) throws(ItemFailure) {
        guard hasBegun else { return }
        do throws(AudioError) {
            if isWhole { try sink.finish() } else { try sink.finishEarly() }
        } catch {
            throw .failure(.audio(error))
        }
    }
}
