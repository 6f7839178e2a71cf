import CSynthEngine

/// One utterance to speak.
public struct SpeechRequest: Sendable {
    /// The text's notation.
    public enum Kind: Sendable {
        /// Plain text without markup.
        case text
        /// IPA, with words separated by spaces. Requires the capability `.speaksPhonemes`.
        case phonemes
        /// Text in which `[[ … ]]` contains IPA. Requires the capability `.speaksPhonemes`.
        case textAndPhonemes
    }

    /// The text's notation.
    public let kind: Kind
    /// The text: at most 65,536 bytes of UTF-8. It may be empty or contain nothing to speak.
    public let text: String
    /// A BCP 47 tag; nil for the voice's language.
    public let language: String?
    /// The voices; never empty. More than one voice requires the capability `.blends`.
    public let voices: [VoiceUse]
    /// The rate relative to the voice's default rate, within the engine's `rates`: 2 is twice as fast.
    public let rate: Float
    /// The multiplier for the voice's fundamental frequency, in the range of the engine's `pitches`.
    public let pitch: Float
    /// The pitch contour, or empty for a constant `pitch`. Offsets never decrease. If it is not empty, `pitch` is its
    /// mean. Requires the capability `.shapesPitch`.
    public let pitchPoints: [PitchPoint]
    /// A factor, from 0 to 2, for the logarithmic pitch range around the mean: 1 is the voice's default, 0 is monotone.
    /// Requires the capability `.shapesPitch`.
    public let intonation: Float
    /// A factor, from 0 to 2, for the variation between repeated readings of the same text: 1 is the voice's default,
    /// and 0 disables variation.
    public let variation: Float
    /// The events that the host uses; all others are dropped.
    public let wants: EventKinds
    /// Whether a listener is waiting for the first audio. If so, write it early, even if the whole request then takes
    /// longer.
    public let isAwaited: Bool
    /// Whether to whisper, regardless of the pitch. Requires the capability `.whispers`.
    public let isWhispered: Bool
    /// Whether no audio is needed: the engine may report only the events, at frames that do not decrease.
    public let wantsOnlyEvents: Bool

    /// The only voice, or the first voice of a blend.
    public var voice: VoiceUse { voices[0] }

    init(_ request: synth_request, of engine: EngineDescription) throws(EngineError) {
        switch request.kind {
        case SYNTH_TEXT.rawValue: kind = .text
        case SYNTH_PHONEMES.rawValue where engine.capabilities.contains(.speaksPhonemes): kind = .phonemes
        case SYNTH_TEXT_AND_PHONEMES.rawValue where engine.capabilities.contains(.speaksPhonemes):
            kind = .textAndPhonemes
        default: throw EngineError(.badRequest, "\(engine.name) does not support this type of text.")
        }
        let bytes = UnsafeBufferPointer(start: request.text, count: request.text == nil ? 0 : request.length)
        guard let text = bytes.withMemoryRebound(to: UInt8.self, { String(validating: $0, as: UTF8.self) }) else {
            throw EngineError(.badRequest, "The text is not valid UTF-8.")
        }
        self.text = text
        language = request.language.map { String(cString: $0) }
        voices = UnsafeBufferPointer(start: request.voices, count: request.voices == nil ? 0 : request.voice_count)
            .compactMap { use in use.map { VoiceUse(synth_voice_use_known($0)) } }
        guard voices.count == 1 || !voices.isEmpty && engine.capabilities.contains(.blends) else {
            throw EngineError(.badRequest, "\(engine.name) needs exactly one voice, not \(voices.count).")
        }
        rate = Self.clamp(request.rate, to: engine.rates)
        pitch = Self.clamp(request.pitch, to: engine.pitches)
        variation = Self.factor(request.variation)
        wants = EventKinds(rawValue: request.wants)
        isAwaited = request.flags & SYNTH_AWAITED.rawValue != 0
        wantsOnlyEvents = request.flags & SYNTH_EVENTS_ONLY.rawValue != 0
        isWhispered = engine.capabilities.contains(.whispers) && request.flags & SYNTH_WHISPERED.rawValue != 0
        let shapesPitch = engine.capabilities.contains(.shapesPitch)
        pitchPoints = shapesPitch ? Self.points(of: request, in: engine.pitches) : []
        intonation = shapesPitch ? Self.factor(request.intonation) : 1
    }

    /// Returns the sum of 1 and the difference, clamped to 0 … 2.
    private static func factor(_ difference: Float) -> Float {
        difference.isFinite ? 1 + min(max(difference, -1), 1) : 1
    }

    private static func points(of request: synth_request, in range: ClosedRange<Float>) -> [PitchPoint] {
        guard let start = request.pitch_points else { return [] }
        var last = 0
        return UnsafeBufferPointer(start: start, count: min(request.pitch_point_count, maximumPoints)).compactMap {
            point in
            guard let point = point.map({ synth_pitch_point_known($0) }) else { return nil }
            last = max(last, min(point.text_offset, request.length))
            return PitchPoint(textOffset: last, factor: clamp(point.factor, to: range))
        }
    }

    private static let maximumPoints = 1024

    /// Returns the factor, clamped to the range, or 1 if the host did not set the field, which is then 0.
    private static func clamp(_ factor: Float, to range: ClosedRange<Float>) -> Float {
        factor.isFinite && factor > 0 ? min(max(factor, range.lowerBound), range.upperBound) : 1
    }
}

/// The pitch at a position in the text.
///
/// Between two points, the logarithm of the factor changes linearly over time; before the first and after the last point it is
/// constant. Two points with the same offset form a step.
public struct PitchPoint: Hashable, Sendable {
    /// An offset in bytes, from 0 to the text length, on a character boundary.
    public let textOffset: Int
    /// The multiplier for the voice's fundamental frequency, in the range of the engine's `pitches`.
    public let factor: Float

    /// Creates a point.
    public init(textOffset: Int, factor: Float) {
        self.textOffset = textOffset
        self.factor = factor
    }
}

/// A voice in a request, with its weight.
public struct VoiceUse: Sendable {
    /// The voice's ID, as declared by the engine or in the registry.
    public let id: String
    /// The speaker; nil for the voice's default speaker.
    public let speaker: String?
    /// The weight, above 0. A request's weights sum to 1.
    public let weight: Float
    /// The files of scope `.voice`.
    public let files: FileSet

    init(_ use: synth_voice_use) {
        id = use.id.map { String(cString: $0) } ?? ""
        speaker = use.speaker.map { String(cString: $0) }
        weight = use.weight
        files = FileSet(use.files, count: use.file_count)
    }
}

/// The kinds of events that the host wants.
public struct EventKinds: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The starts of sentences.
    public static let sentences = Self(rawValue: SYNTH_SENTENCE.rawValue)
    /// The starts of words.
    public static let words = Self(rawValue: SYNTH_WORD.rawValue)
    /// The starts of phonemes.
    public static let phonemes = Self(rawValue: SYNTH_PHONEME.rawValue)
}
