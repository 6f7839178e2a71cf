import CSynthEngine
import SynthEngineLoading
import SynthEngineWire
import SynthSystem

/// The host functions for one recognition. Validates each call against the rules in the C header so that later code can
/// rely on them. Used only on the thread that called `recognize`.
final class RecognizerRun {
    private let request: RecognitionJob
    private let sound: IncomingSound
    private let sender: FrameSender
    private var isStopped = false
    private var isSpeech = false
    private var latestEvent: UInt64 = 0
    /// The first frame of the most recent final text.
    private var latestFinal: UInt64 = 0
    private var latestProgress: ContinuousClock.Instant?

    /// A sentence that describes how the recognizer violated its contract.
    private var fault: String?

    /// The minimum interval between progress reports.
    private static let step = Duration.milliseconds(100)

    init(_ request: RecognitionJob, sound: IncomingSound, sender: FrameSender) {
        self.request = request
        self.sound = sound
        self.sender = sender
    }

    var isCancelled: Bool { sound.isAbandoned || sender.isCancelled(request.serial) }

    /// Whether subsequent calls are rejected.
    private var isOver: Bool { isStopped || sound.hasEmptyBuffer }

    /// Whether the recognizer was told to stop, by a return value or by `cancel`.
    var saidStop: Bool { isStopped || isCancelled }

    var violation: String? {
        fault ?? (sound.hasEmptyBuffer ? "It read audio without a buffer." : nil)
    }

    /// The C interface for the recognizer, valid while this object exists.
    var table: synth_hearing {
        var table = synth_hearing()
        table.struct_size = UInt32(MemoryLayout<synth_hearing>.size)
        table.context = Unmanaged.passUnretained(self).toOpaque()
        table.text = { RecognizerRun.from($0)?.text($1) ?? false }
        table.event = { RecognizerRun.from($0)?.event($1) ?? false }
        table.progress = { RecognizerRun.from($0)?.progress($1) ?? false }
        return table
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> RecognizerRun? {
        context.map { Unmanaged<RecognizerRun>.fromOpaque($0).takeUnretainedValue() }
    }

    private func text(_ pointer: UnsafePointer<synth_heard>?) -> Bool {
        if isOver { return false }
        guard let pointer else { return fail("It reported a NULL text.") }
        let heard = synth_heard_known(pointer)
        let isFinal = heard.kind == SYNTH_FINAL.rawValue
        let isLeftOut = heard.kind == SYNTH_LEFT_OUT.rawValue && request.wants.contains(.leftOut)
        guard isFinal || isLeftOut || heard.kind == SYNTH_PARTIAL.rawValue && request.wants.contains(.partials) else {
            return !isCancelled
        }
        guard let content = Self.content(heard.text, heard.length) else {
            return fail("It reported text that is too long, is not UTF-8, or has control characters.")
        }
        guard content.first != " ", content.last != " " else {
            return fail("It reported text with leading or trailing spaces.")
        }
        let bytes = Array(content.utf8)
        guard let frames = span(heard.frame, heard.frame_count) else {
            return fail("It reported text for audio that it had not yet read.")
        }
        guard !isFinal || frames.lowerBound >= latestFinal else {
            return fail("It reported text for audio that precedes the audio of its previous text.")
        }
        let stable = isFinal ? bytes.count : isLeftOut ? 0 : heard.stable_length
        guard bytes.isBorder(stable) else {
            return fail("It reported a stable part that ends inside a character.")
        }
        let language = known(heard.language)
        guard language.map(RecognizedText.isLanguage) ?? (heard.language == nil) else {
            return fail("It reported an invalid language.")
        }
        var text = RecognizedText(content, isFinal: isFinal, stable: stable, frames: frames, language: language)
        guard let confidence = Self.share(heard.confidence) else {
            return fail("It reported a confidence that is not between 0 and 1.")
        }
        text.confidence = confidence
        if heard.choice >= 0 {
            guard request.hints.kind == .choice, Int(heard.choice) < request.hints.phrases.count else {
                return fail("It chose a phrase that is not in the hints.")
            }
            text.choice = Int(heard.choice)
        }
        text.origin.quietProbability = heard.quiet_probability
        text.origin.repetition = heard.repetition
        text.origin.temperature = heard.temperature
        if isLeftOut {
            guard let reason = UInt8(exactly: heard.reason).flatMap(RecognizedText.LeftOut.init) else {
                return fail("It reported an unknown reason for leaving out text.")
            }
            text.leftOut = reason
        }
        guard text.origin.isValid else {
            return fail("It reported a probability, repetition or temperature that is out of range.")
        }
        if request.wants.contains(.words) {
            guard let words = words(heard, bytes) else {
                return fail("It reported words that are outside the text or the audio.")
            }
            text.words = words
        }
        if isFinal { latestFinal = frames.lowerBound }
        return send(.text(serial: request.serial, text))
    }

    /// Returns nil if a word is invalid.
    private func words(_ heard: synth_heard, _ text: [UInt8]) -> [RecognizedWord]? {
        guard heard.word_count > 0 else { return [] }
        guard let pointers = heard.words, heard.word_count <= RecognizedText.maximumWords else { return nil }
        var words: [RecognizedWord] = []
        var end = 0
        for index in 0..<heard.word_count {
            guard let pointer = pointers[index] else { return nil }
            let word = synth_spoken_word_known(pointer)
            guard word.text_offset >= end, word.text_length > 0, word.text_offset <= text.count,
                word.text_length <= text.count - word.text_offset, let frames = span(word.frame, word.frame_count),
                let confidence = Self.share(word.confidence)
            else { return nil }
            end = word.text_offset + word.text_length
            guard text.isBorder(word.text_offset), text.isBorder(end) else { return nil }
            words.append(RecognizedWord(text: word.text_offset..<end, frames: frames, confidence: confidence))
        }
        return words
    }

    private func event(_ pointer: UnsafePointer<synth_speech_event>?) -> Bool {
        if isOver { return false }
        guard let pointer else { return fail("It reported a NULL event.") }
        let event = synth_speech_event_known(pointer)
        let begins = event.kind == SYNTH_SPEECH_BEGINS.rawValue
        guard request.wants.contains(.speechEvents), begins || event.kind == SYNTH_SPEECH_ENDS.rawValue else {
            return !isCancelled
        }
        guard begins != isSpeech else { return fail("It reported twice that speech \(begins ? "started" : "ended").") }
        guard event.frame >= latestEvent, event.frame <= sound.frameCount else {
            return fail("It reported speech out of order, or in audio that it had not yet read.")
        }
        isSpeech = begins
        latestEvent = event.frame
        return send(.speech(serial: request.serial, begins: begins, frame: event.frame))
    }

    private func progress(_ done: Float) -> Bool {
        if isOver { return false }
        guard let done = Self.share(done) else { return fail("It reported progress that is not between 0 and 1.") }
        let now = ContinuousClock.now
        if let latestProgress, now < latestProgress + Self.step { return !isCancelled }
        latestProgress = now
        return send(.progress(serial: request.serial, done))
    }

    // MARK: - Values

    private static func content(_ text: UnsafePointer<CChar>?, _ length: Int) -> String? {
        guard length > 0 else { return length == 0 ? "" : nil }
        guard let text, length <= longestText else { return nil }
        let bytes = UnsafeRawBufferPointer(start: text, count: length)
        guard let content = String(validating: bytes, as: UTF8.self), RecognizedText.isPlain(content) else {
            return nil
        }
        return content
    }

    /// Returns a range of frames, or nil if it includes frames that have not been read.
    private func span(_ first: UInt64, _ count: UInt64) -> Range<UInt64>? {
        let (end, isTooLarge) = first.addingReportingOverflow(count)
        return isTooLarge || end > sound.frameCount ? nil : first..<end
    }

    /// Validates a value between 0 and 1. The inner optional is nil if the value is unknown (-1), and the outer
    /// optional is nil if the value is invalid.
    private static func share(_ value: Float) -> Float?? {
        if value == -1 { return .some(nil) }
        return (0...1).contains(value) ? .some(value) : nil
    }

    private func fail(_ violation: String) -> Bool {
        fault = violation
        isStopped = true
        return false
    }

    private func send(_ reply: RecognitionReply) -> Bool {
        isStopped = !sender.send(reply.frameBytes, serial: request.serial)
        return !isStopped
    }
}

extension Lane {
    func recognize(_ request: RecognitionJob, by table: LoadedTable<synth_recognizer>) -> RecognitionReply {
        wakeUp.clear()
        let sender = FrameSender(socket: socket, wakeUp: wakeUp, cancelled: { [self] in cancelledSerial })
        let sound = IncomingSound(serial: request.serial, lane: self, sender: sender)
        let hearing = RecognizerRun(request, sound: sound, sender: sender)
        guard !hearing.isCancelled else { return .end(serial: request.serial, .cancelled) }
        let arena = CallArena()
        let error = ErrorBuffer()
        let status = withExtendedLifetime((arena, sound, hearing)) {
            var (source, sink) = (sound.table, hearing.table)
            return table.work(pointer, arena.recognition(request), &source, &sink, error.pointer)
        }
        // If the connection was lost before the end of the audio, the text is incomplete even if the recognizer reports
        // success.
        if sound.isAbandoned, status == SYNTH_OK { return .end(serial: request.serial, .cancelled) }
        return .end(
            serial: request.serial,
            error.outcome(of: status, violation: hearing.violation, saidStop: hearing.saidStop))
    }
}
