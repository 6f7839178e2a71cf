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
    /// Factor for how much two readings of a text differ: 1 = the voice's own variation, 0 = none, at most 2.
    public let variation: Float
    /// The events that the host uses; others are dropped.
    public let wants: EventKinds
    /// Somebody waits for the first sound: hand it over early, even if all of it then takes longer.
    public let isAwaited: Bool

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
        variation = request.variation.isFinite ? 1 + min(max(request.variation, -1), 1) : 1
        wants = EventKinds(rawValue: request.wants)
        isAwaited = request.flags & SYNTH_AWAITED.rawValue != 0
    }

    /// 0 is the value of a field that was not set.
    private static func clamp(_ factor: Float, to range: ClosedRange<Float>) -> Float {
        factor.isFinite && factor > 0 ? min(max(factor, range.lowerBound), range.upperBound) : 1
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
