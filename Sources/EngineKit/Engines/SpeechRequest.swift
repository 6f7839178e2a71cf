import CSynthEngine

/// One utterance to speak.
public struct SpeechRequest: Sendable {
    public enum Kind: Sendable {
        /// Plain text, no markup.
        case text
        /// IPA, words separated by a space. Only with the capability `.speaksPhonemes`.
        case phonemes
        /// Text in which `[[ … ]]` holds IPA. With the same capability.
        case textAndPhonemes
    }

    public let kind: Kind
    /// At most 65 536 bytes of UTF-8; may be empty or contain nothing to say.
    public let text: String
    /// BCP-47; `nil` = the voice's own.
    public let language: String?
    /// One; more only with the capability `.blends`. Never empty.
    public let voices: [VoiceUse]
    /// 1 = the voice's own speed, 2 = twice as fast; within the engine's `rates`.
    public let rate: Float
    /// Factor on the fundamental frequency, 1 = the voice's own; within the engine's `pitches`.
    public let pitch: Float
    /// How the pitch changes inside the text; empty = it is `pitch` everywhere. Offsets never decrease. Only with the
    /// capability `.shapesPitch`, and then `pitch` is the mean.
    public let pitchPoints: [PitchPoint]
    /// How far the pitch moves about its mean, as a factor of the logarithm: 1 = as the voice's own, 0 = not at all, at most 2. Only
    /// with the same capability.
    public let intonation: Float
    /// Factor for how much two readings of a text differ: 1 = the voice's own variation, 0 = none, at most 2.
    public let variation: Float
    /// The events that the host uses; others are dropped.
    public let wants: EventKinds
    /// Somebody waits for the first sound: hand it over early, even if all of it then takes longer.
    public let isAwaited: Bool
    /// Speak without voice, whatever the pitch. Only with the capability `.whispers`.
    public let isWhispered: Bool
    /// No sound is wanted: an engine may hand over the events alone, at frames that do not decrease.
    public let wantsOnlyEvents: Bool

    /// The only voice, or the first of a blend.
    public var voice: VoiceUse { voices[0] }

    init(_ request: synth_request, of engine: EngineDescription) throws(EngineError) {
        switch request.kind {
        case SYNTH_TEXT.rawValue: kind = .text
        case SYNTH_PHONEMES.rawValue where engine.capabilities.contains(.speaksPhonemes): kind = .phonemes
        case SYNTH_TEXT_AND_PHONEMES.rawValue where engine.capabilities.contains(.speaksPhonemes):
            kind = .textAndPhonemes
        default: throw EngineError(.badRequest, "\(engine.name) does not speak this kind of text.")
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

    /// A factor from 0 to 2 that is written as its difference from 1.
    private static func factor(_ difference: Float) -> Float {
        difference.isFinite ? 1 + min(max(difference, -1), 1) : 1
    }

    private static func points(of request: synth_request, in range: ClosedRange<Float>) -> [PitchPoint] {
        guard let start = request.pitch_points else { return [] }
        var last = 0
        return UnsafeBufferPointer(start: start, count: min(request.pitch_point_count, mostPoints)).compactMap {
            point in
            guard let point = point.map({ synth_pitch_point_known($0) }) else { return nil }
            last = max(last, min(point.text_offset, request.length))
            return PitchPoint(textOffset: last, factor: clamp(point.factor, to: range))
        }
    }

    /// As the header says.
    private static let mostPoints = 1024

    /// 0 is the value of a field that was not set.
    private static func clamp(_ factor: Float, to range: ClosedRange<Float>) -> Float {
        factor.isFinite && factor > 0 ? min(max(factor, range.lowerBound), range.upperBound) : 1
    }
}

/// The pitch at a place of the text.
///
/// Between two points the logarithm of the factor changes evenly with time; before the first and after the last it is
/// constant. Two points with the same offset are a step.
public struct PitchPoint: Hashable, Sendable {
    /// A byte of the text, or its length; between two characters.
    public let textOffset: Int
    /// On the fundamental frequency, 1 = the voice's own; within the engine's `pitches`.
    public let factor: Float

    public init(textOffset: Int, factor: Float) {
        self.textOffset = textOffset
        self.factor = factor
    }
}

/// A voice of a request, and its share.
public struct VoiceUse: Sendable {
    public let id: String
    /// `nil` = the voice's first.
    public let speaker: String?
    /// > 0; the weights of a request sum to 1.
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

/// Kinds of events that the host wants.
public struct EventKinds: OptionSet, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let sentences = Self(rawValue: SYNTH_SENTENCE.rawValue)
    public static let words = Self(rawValue: SYNTH_WORD.rawValue)
    public static let phonemes = Self(rawValue: SYNTH_PHONEME.rawValue)
}
