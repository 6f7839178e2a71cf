/// A request from the host on a lane, for one utterance. A lane processes one request at a time.
package struct LaneRequest: Equatable, Sendable {
    /// The serial number, which starts at 1 on each lane; 0 until the lane assigns it.
    package var serial: UInt64
    package var text: SpokenText
    /// A BCP 47 tag; nil for the voice's language.
    package var language: String?
    /// A single voice, or the voices of a blend. The weights sum to 1.
    package var voices: [VoiceUse]
    /// The factor for the voice's speed, within the engine's range.
    package var rate: Float
    /// The factor for the voice's fundamental frequency, within the engine's range.
    package var pitch: Float
    /// The variation between repeated readings of the same text, relative to the voice's default: 0 for the default, -1
    /// for none, 1 for twice as much.
    package var variation: Float
    /// The kinds of events that the engine should report.
    package var wants: EventKinds
    /// Whether a listener is waiting for the first audio.
    package var isAwaited: Bool
    /// The pitch contour, with at most `maximumPitchPoints` points, or empty for a constant `pitch`. If it is not empty,
    /// `pitch` is its mean. Requires an engine that supports pitch contours.
    package var pitchPoints: [LanePitchPoint]
    /// The change in the voice's pitch range: 0 for the voice's default, -1 for a flat pitch, 1 for twice the range.
    package var intonation: Float
    /// Whether to whisper; requires an engine that supports it.
    package var isWhispered: Bool
    /// Whether only events are needed, without audio.
    package var wantsOnlyEvents = false

    package init(
        _ text: SpokenText, language: String? = nil, voices: [VoiceUse], rate: Float = 1, pitch: Float = 1,
        variation: Float = 0, wants: EventKinds = [], isAwaited: Bool = false, pitchPoints: [LanePitchPoint] = [],
        intonation: Float = 0, isWhispered: Bool = false, serial: UInt64 = 0
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
        self.pitchPoints = pitchPoints
        self.intonation = intonation
        self.isWhispered = isWhispered
    }

    /// The limit defined in `synth_engine.h`.
    package static let maximumPitchPoints = 1024
}

/// The pitch at a position in a request's text. The logarithm of the factor changes linearly between points; two points with
/// the same offset form a step.
package struct LanePitchPoint: Equatable, Sendable {
    /// The offset in bytes, at most the text length and not less than the previous point's offset.
    package var offset: Int
    package var factor: Float

    package init(offset: Int, factor: Float) {
        self.offset = offset
        self.factor = factor
    }
}

/// A reply from the worker on a lane.
package enum LaneReply: Equatable, Sendable {
    case begin(serial: UInt64, sampleRate: UInt32, channels: UInt32)
    /// Interleaved samples; always complete frames.
    case audio(serial: UInt64, [Float])
    /// An event, which is sent before the audio that contains its frame.
    case event(serial: UInt64, SpeechEvent)
    /// The last reply to every request. `frameCount` is the number of audio frames that were sent.
    case end(serial: UInt64, frameCount: UInt64, RequestOutcome)

    package var serial: UInt64 {
        switch self {
        case .begin(let serial, _, _), .audio(let serial, _), .event(let serial, _), .end(let serial, _, _): serial
        }
    }
}

/// A voice in a request.
package struct VoiceUse: Equatable, Sendable {
    package var id: String
    /// The speaker; nil for the voice's default speaker.
    package var speaker: String?
    package var weight: Float
    package var files: [HandedFile]

    package init(id: String, speaker: String? = nil, weight: Float = 1, files: [HandedFile] = []) {
        self.id = id
        self.speaker = speaker
        self.weight = weight
        self.files = files
    }
}

/// The text to speak: up to 65,536 bytes without a NUL.
package enum SpokenText: Equatable, Sendable {
    case text(String)
    /// IPA, with words separated by spaces.
    case phonemes(String)
    /// Text in which `[[ … ]]` contains IPA.
    case textAndPhonemes(String)

    package var content: String {
        switch self {
        case .text(let content), .phonemes(let content), .textAndPhonemes(let content): content
        }
    }
}

/// A set of event kinds. The raw values match `synth_event_kind`.
package struct EventKinds: OptionSet, Hashable, Frame {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let sentence = EventKinds(rawValue: 1)
    package static let word = EventKinds(rawValue: 2)
    package static let phoneme = EventKinds(rawValue: 4)
}

/// The start of a sentence, word or phoneme in the audio.
package struct SpeechEvent: Equatable, Sendable {
    /// The kind, as a single bit.
    package var kind: EventKinds
    /// The first frame, relative to the start of the request's audio.
    package var frame: UInt64
    /// The number of frames; 0 if the event lasts until the next event of its kind, or until the end of the audio.
    package var frameCount: UInt64
    /// The byte range in the request's text, on Unicode scalar boundaries.
    package var text: Range<Int>
    /// The IPA of a phoneme.
    package var label: String?

    package init(kind: EventKinds, frame: UInt64, frameCount: UInt64, text: Range<Int>, label: String? = nil) {
        self.kind = kind
        self.frame = frame
        self.frameCount = frameCount
        self.text = text
        self.label = label
    }
}

extension LaneRequest: Frame {
    package func write(to frame: inout FrameWriter) {
        let kind: UInt8 =
            switch text {
            case .text: 0
            case .phonemes: 1
            case .textAndPhonemes: 2
            }
        frame.write(
            serial, kind, text.content, language, rate, pitch, variation, wants,
            (isAwaited ? 1 : 0) | (wantsOnlyEvents ? 2 : 0) as UInt8, isWhispered, intonation, pitchPoints, voices)
    }

    package init(from frame: inout FrameReader) throws {
        serial = try frame.read()
        switch try frame.read(UInt8.self) {
        case 0: text = .text(try frame.read())
        case 1: text = .phonemes(try frame.read())
        case 2: text = .textAndPhonemes(try frame.read())
        default: throw MalformedFrame()
        }
        language = try frame.read()
        rate = try frame.read()
        pitch = try frame.read()
        variation = try frame.read()
        wants = try frame.read()
        let flags = try frame.read(UInt8.self)
        isAwaited = flags & 1 != 0
        wantsOnlyEvents = flags & 2 != 0
        isWhispered = try frame.read(UInt8.self) != 0
        intonation = try frame.read()
        pitchPoints = try frame.read()
        guard pitchPoints.count <= Self.maximumPitchPoints else { throw MalformedFrame() }
        voices = try frame.read()
    }
}

extension LanePitchPoint: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(UInt32(clamping: offset), factor) }

    package init(from frame: inout FrameReader) throws {
        self.init(offset: Int(try frame.read(UInt32.self)), factor: try frame.read())
    }
}

extension VoiceUse: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(id, speaker, weight, files) }

    package init(from frame: inout FrameReader) throws {
        self.init(id: try frame.read(), speaker: try frame.read(), weight: try frame.read(), files: try frame.read())
    }
}

extension SpeechEvent: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(kind, self.frame, frameCount, text.offsets)
        frame.write(words: label)
    }

    package init(from frame: inout FrameReader) throws {
        self.init(
            kind: try frame.read(), frame: try frame.read(), frameCount: try frame.read(),
            text: Range(try frame.read(Range<UInt32>.self)), label: try frame.read())
    }
}

extension LaneReply: Frame {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .begin(let serial, let sampleRate, let channels): frame.write(1 as UInt8, serial, sampleRate, channels)
        case .audio(let serial, let samples):
            samples.withUnsafeBufferPointer { Self.writeAudio(serial: serial, $0, to: &frame) }
        case .event(let serial, let event): frame.write(3 as UInt8, serial, event)
        case .end(let serial, let frameCount, let outcome): frame.write(4 as UInt8, serial, frameCount, outcome)
        }
    }

    /// Writes an audio frame directly from an engine's buffer.
    package static func writeAudio(serial: UInt64, _ samples: UnsafeBufferPointer<Float>, to frame: inout FrameWriter) {
        frame.write(2 as UInt8, serial)
        frame.write(samples)
    }

    package init(from frame: inout FrameReader) throws {
        let (kind, serial) = (try frame.read(UInt8.self), try frame.read(UInt64.self))
        switch kind {
        case 1: self = .begin(serial: serial, sampleRate: try frame.read(), channels: try frame.read())
        case 2: self = .audio(serial: serial, try frame.samples())
        case 3: self = .event(serial: serial, try frame.read())
        case 4: self = .end(serial: serial, frameCount: try frame.read(), try frame.read())
        default: throw MalformedFrame()
        }
    }
}
