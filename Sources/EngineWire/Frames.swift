// The frames between host and worker, both directions.
//
// One SOCK_SEQPACKET socket for control (descriptor 3 of the worker) and one for each lane, passed with the `open`
// frame. A frame is one message: it arrives whole or not at all, so after a cancel whole frames can be dropped and the
// stream stays in step. Every frame of a lane carries the serial of its request; an `end` always comes, also after a
// cancel. The worker ends if it cannot decode a frame.

/// A request of the host on the control socket. All but `cancel` are answered in their order, by one `ControlReply` each (a
/// description may come in parts).
package enum ControlRequest: Equatable, Sendable {
    /// What is this engine?
    case describe
    /// Load a model, which later frames refer to by the number `model`.
    case load(model: UInt32, LoadRequest)
    /// Open a lane on a loaded model. The lane's socket comes with the frame. It closes when the host closes its end.
    case open(lane: UInt32, model: UInt32)
    /// Stop that request of a lane and every earlier one.
    case cancel(lane: UInt32, serial: UInt64)
    /// Unload a model as soon as its lanes, which the host has closed, are closed in the engine too. Nothing refers to it any
    /// more. The answer comes once its memory is free.
    case unload(model: UInt32)
}

/// A reply of the worker on the control socket.
package enum ControlReply: Equatable, Sendable {
    /// The file is not loaded as an engine; the worker ends.
    case refused(Refusal)
    /// A part of the encoded `EngineDescription`.
    case description(part: [UInt8], isLast: Bool)
    /// The model is loaded or unloaded, or the lane open.
    case done
    /// Loading or opening failed.
    case failed(EngineError)
    /// A line of the engine's log; may come between any two others.
    case log(LogSeverity, String)
}

/// A request of the host on a lane: one utterance at a time.
package struct LaneRequest: Equatable, Sendable {
    /// From 1, rising on each lane; 0 until the lane numbers it.
    package var serial: UInt64
    package var text: SpokenText
    /// BCP-47; nil = the voice's own.
    package var language: String?
    /// One, or several for a blend; the weights sum to 1.
    package var voices: [VoiceUse]
    /// Factors of the voice's own speed and fundamental frequency, within what the engine allows.
    package var rate: Float
    package var pitch: Float
    /// How much two readings of a text differ, relative to the voice's own variation: 0 = as much, -1 = not at all, 1 =
    /// twice.
    package var variation: Float
    /// The kinds of event that the engine should report.
    package var wants: EventKinds
    /// Somebody waits for its first sound.
    package var isAwaited: Bool

    package init(
        _ text: SpokenText, language: String? = nil, voices: [VoiceUse], rate: Float = 1, pitch: Float = 1,
        variation: Float = 0, wants: EventKinds = [], isAwaited: Bool = false, serial: UInt64 = 0
    ) {
        self.serial = serial
        self.text = text
        self.language = language
        self.voices = voices
        self.rate = rate
        self.pitch = pitch
        self.variation = variation
        self.wants = wants
        self.isAwaited = isAwaited
    }
}

/// A reply of the worker on a lane.
package enum LaneReply: Equatable, Sendable {
    case begin(serial: UInt64, sampleRate: UInt32, channels: UInt32)
    /// Interleaved samples, whole frames.
    case audio(serial: UInt64, [Float])
    /// Comes before the audio that carries its frame.
    case event(serial: UInt64, SpeechEvent)
    /// Always the last of a request. `frameCount` counts the audio frames that were sent.
    case end(serial: UInt64, frameCount: UInt64, Outcome)

    package var serial: UInt64 {
        switch self {
        case .begin(let serial, _, _), .audio(let serial, _), .event(let serial, _), .end(let serial, _, _): serial
        }
    }

    /// How a request ended.
    package enum Outcome: Equatable, Sendable {
        case spoken
        case cancelled
        case failed(EngineError)
    }
}

/// The exit status of a worker whose sockets carried a malformed frame, or were closed by the engine.
package let damagedExitStatus: Int32 = 76

/// The exit status of a worker that could not start a thread.
package let threadlessExitStatus: Int32 = 71

/// The sample rates in hertz and the channel counts that an engine may use.
package let playableSampleRates: ClosedRange<UInt32> = 1000...384_000
package let playableChannels: ClosedRange<UInt32> = 1...2

/// The longest text of one request, in bytes.
package let longestText = 65_536

/// The longest message of an engine, or name in a message, in bytes.
package let longestWords = 8192

/// The largest frame of either side, in bytes. It holds the longest text with its voices, and fits into a socket with
/// the system's default buffers.
package let largestFrame = 160 * 1024

/// Samples in one audio frame at most: a sixth of a second of mono speech, so that a cancel never waits for more.
package let samplesPerFrame = 4096
