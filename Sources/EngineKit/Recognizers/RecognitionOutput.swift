import CSynthEngine

/// Receives the results of a recognition. It cannot outlive `recognize`, and all calls must be made on the thread that
/// runs `recognize`.
///
/// All functions throw `Stopped` once the request has been cancelled. Results that the host did not request are dropped.
public struct RecognitionOutput: ~Copyable {
    private let state: RecognitionState

    init(_ state: RecognitionState) { self.state = state }

    /// Whether the request has been cancelled. Reading this is cheap, so a long loop that reports nothing can use it to
    /// return early.
    public var isCancelled: Bool { state.isOver }

    /// Throws if the request has been cancelled. Call this between lengthy steps.
    public func check() throws { try state.check() }

    /// Reports the fraction of the audio read so far that has been processed, from 0 to 1; nil if unknown. Throws if
    /// the request has been cancelled, like `check`.
    public func progress(_ done: Float?) throws { try state.progress(done) }

    /// Runs `body`, a long computation that cannot check for cancellation. If the request is cancelled, `stop` is
    /// called from another thread, or immediately if the request was already cancelled. `stop` must return immediately,
    /// be harmless if `body` has just ended, and not use this value. If `body` then throws an error, it is not
    /// reported.
    public func interrupting<Result>(
        _ stop: @escaping @Sendable () -> Void, _ body: () throws -> Result
    ) throws -> Result {
        try state.interrupting(stop, body)
    }

    /// Reports text that follows the last final text. It replaces the previous partial text.
    ///
    /// - Parameter stable: the number of UTF-8 bytes that will not change; rounded down to a character boundary.
    public func partial(_ heard: RecognizedText, stable: Int = 0) throws {
        try state.text(heard, SYNTH_PARTIAL, stable: stable)
    }

    /// Reports final text. A request can have any number of final texts, in the order of the audio.
    public func final(_ heard: RecognizedText) throws { try state.text(heard, SYNTH_FINAL, stable: .max) }

    /// Reports text that the recognizer excludes because it was probably never spoken. Call this before you report
    /// any later final text.
    public func leftOut(_ heard: RecognizedText, because reason: LeftOutReason) throws {
        try state.text(heard, SYNTH_LEFT_OUT, stable: 0, reason: reason)
    }

    /// Reports that speech begins at this frame.
    public func speechBegins(at frame: UInt64) throws { try state.event(SYNTH_SPEECH_BEGINS, at: frame) }

    /// Reports that speech ends before this frame. Beginnings and ends must alternate, and their frames must not decrease.
    public func speechEnds(at frame: UInt64) throws { try state.event(SYNTH_SPEECH_ENDS, at: frame) }
}

/// The state of the running request: its input and its results.
final class RecognitionState: RunningRequest {
    private let sound: synth_sound
    private let hearing: synth_hearing
    private let request: RecognitionRequest
    private(set) var frame: UInt64 = 0
    private var hasEnded = false
    private var latestProgress: Float = -1
    private var latestFinal: UInt64 = 0
    private var latestEvent: UInt64 = 0
    private var isSpeech = false

    init(
        _ sound: synth_sound, _ hearing: synth_hearing, _ request: RecognitionRequest, serial: UInt64,
        cancellation: RequestCancellation
    ) {
        self.sound = sound
        self.hearing = hearing
        self.request = request
        super.init(serial: serial, cancellation: cancellation)
    }

    // MARK: - Audio

    var ready: Int {
        guard !isOver, !hasEnded, let ready = sound.ready else { return 0 }
        return ready(sound.context)
    }

    var isComplete: Bool {
        if isOver || hasEnded { return true }
        return sound.complete?(sound.context) ?? false
    }

    func read(_ frames: UnsafeMutableBufferPointer<Float>) throws -> Int {
        if isOver { throw Stopped() }
        guard !hasEnded, !frames.isEmpty else { return 0 }
        let count = min(sound.read.map { $0(sound.context, frames.baseAddress, frames.count) } ?? 0, frames.count)
        if count == 0 {
            // Either the audio has ended or the request was cancelled; only `check` can tell which.
            try check()
            hasEnded = true
        }
        frame += UInt64(count)
        return count
    }

    // MARK: - Results

    func check() throws { try call { hearing.progress.map { $0(hearing.context, latestProgress) } } }

    func progress(_ done: Float?) throws {
        latestProgress = Self.share(done)
        try check()
    }

    func event(_ kind: synth_speech_event_kind, at frame: UInt64) throws {
        guard request.wants.contains(.speechEvents) else { return try call { nil } }
        guard (kind == SYNTH_SPEECH_BEGINS) != isSpeech, latestEvent <= frame, frame <= self.frame else {
            throw EngineError(
                .failed, "The recognizer reported speech out of order, or in audio that it had not yet read.")
        }
        isSpeech.toggle()
        latestEvent = frame
        var event = synth_speech_event()
        event.struct_size = UInt32(MemoryLayout<synth_speech_event>.size)
        event.kind = kind.rawValue
        event.frame = frame
        try call { hearing.event.map { $0(hearing.context, &event) } }
    }

    func text(
        _ told: RecognizedText, _ kind: synth_heard_kind, stable: Int, reason: LeftOutReason? = nil
    ) throws {
        let isWanted = kind == SYNTH_FINAL || request.wants.contains(kind == SYNTH_PARTIAL ? .partials : .leftOut)
        guard isWanted else { return try call { nil } }
        let text = PlainText(told.text)
        let frames = read(of: told.frames)
        guard text.count <= 65_536 else {
            throw EngineError(.failed, "The recognizer reported text that is too long.")
        }
        if kind == SYNTH_FINAL {
            guard frames.lowerBound >= latestFinal else {
                throw EngineError(
                    .failed, "The recognizer reported text for audio that precedes the audio of its previous text."
                )
            }
            latestFinal = frames.lowerBound
        }
        var heard = synth_heard()
        heard.struct_size = UInt32(MemoryLayout<synth_heard>.size)
        heard.kind = kind.rawValue
        heard.length = text.count
        heard.stable_length = text.border(before: stable)
        heard.frame = frames.lowerBound
        heard.frame_count = UInt64(frames.count)
        heard.confidence = Self.share(told.confidence)
        heard.choice = try choice(told.choice)
        heard.quiet_probability = Self.number(told.quietProbability, upTo: 1)
        heard.repetition = Self.number(told.repetition, upTo: 1000)
        heard.temperature = Self.number(told.temperature, upTo: 2)
        heard.reason = reason?.raw.rawValue ?? 0
        let words = request.wants.contains(.words) ? try self.words(told.words, in: text) : []
        heard.word_count = words.count
        try words.withUnsafeBufferPointer { words in
            let places = words.indices.map { index in words.baseAddress.map { $0 + index } }
            try places.withUnsafeBufferPointer { places in
                heard.words = places.isEmpty ? nil : places.baseAddress
                try text.bytes.withUnsafeBytes { bytes in
                    heard.text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                    try call { tell(&heard, language: told.language) }
                }
            }
        }
    }

    private static func number(_ number: Float, upTo most: Float) -> Float {
        number.isNaN ? 0 : min(most, max(0, number))
    }

    private func tell(_ heard: inout synth_heard, language: String?) -> Bool? {
        guard let language else { return hearing.text.map { $0(hearing.context, &heard) } }
        return language.withCString { tag in
            heard.language = tag
            return hearing.text.map { $0(hearing.context, &heard) }
        }
    }

    private func words(_ words: [SpokenWord], in text: PlainText) throws -> [synth_spoken_word] {
        var end = 0
        let structs = try words.compactMap { word -> synth_spoken_word? in
            guard let bytes = text.word(word.bytes) else { return nil }
            guard bytes.lowerBound >= end, text.isBorder(bytes.lowerBound), text.isBorder(bytes.upperBound) else {
                throw EngineError(
                    .failed,
                    "The recognizer reported words out of order, or words that end in the middle of a character.")
            }
            end = bytes.upperBound
            let frames = read(of: word.frames)
            var spoken = synth_spoken_word()
            spoken.struct_size = UInt32(MemoryLayout<synth_spoken_word>.size)
            spoken.confidence = Self.share(word.confidence)
            spoken.frame = frames.lowerBound
            spoken.frame_count = UInt64(frames.count)
            spoken.text_offset = bytes.lowerBound
            spoken.text_length = bytes.count
            return spoken
        }
        guard structs.count <= 2048 else { throw EngineError(.failed, "The recognizer reported too many words.") }
        return structs
    }

    private func choice(_ position: Int?) throws -> Int32 {
        guard let position else { return -1 }
        guard request.hints.kind == .choice, request.hints.phrases.indices.contains(position),
            let choice = Int32(exactly: position)
        else { throw EngineError(.failed, "The recognizer chose a phrase that is not in the hints.") }
        return choice
    }

    /// Returns the part of a frame range that has been read.
    private func read(of frames: Range<UInt64>) -> Range<UInt64> {
        min(frames.lowerBound, frame)..<min(frames.upperBound, frame)
    }

    private static func share(_ value: Float?) -> Float {
        guard let value, !value.isNaN else { return -1 }
        return min(max(value, 0), 1)
    }
}
