package import CSynthEngine

/// Supplies audio to a recognizer, records the results of one request, and checks them against the rules in the header.
package final class RecordedRecognition {
    /// A text that the recognizer reported.
    package struct Text: Equatable {
        package var isFinal: Bool
        package var text: String
        package var stable: Int
        package var frames: Range<UInt64>
        package var words: [Word]
        package var confidence: Float
        package var language: String?
        package var choice: Int32

        package init(
            _ text: String, isFinal: Bool = true, stable: Int, frames: Range<UInt64>, words: [Word] = [],
            confidence: Float = -1, language: String? = nil, choice: Int32 = -1
        ) {
            self.isFinal = isFinal
            self.text = text
            self.stable = stable
            self.frames = frames
            self.words = words
            self.confidence = confidence
            self.language = language
            self.choice = choice
        }
    }

    /// A word of the reported text, with its frames.
    package struct Word: Equatable {
        package let text: String
        package let frames: Range<UInt64>
        package let confidence: Float

        package init(_ text: String, _ frames: Range<UInt64>, _ confidence: Float = -1) {
            self.text = text
            self.frames = frames
            self.confidence = confidence
        }
    }

    /// The start or end of speech.
    package struct Event: Equatable {
        package let begins: Bool
        package let frame: UInt64

        package init(begins: Bool, frame: UInt64) {
            self.begins = begins
            self.frame = frame
        }
    }

    package private(set) var texts: [Text] = []
    package private(set) var events: [Event] = []
    package private(set) var progress: [Float] = []
    package private(set) var outcome = ErrorReport.Failure(status: SYNTH_FAILED, message: "", role: nil)
    /// Rules in the header that the recognizer has violated.
    package private(set) var violations: [String] = []
    /// The number of calls so far that have reported something.
    package private(set) var calls = 0
    /// The number of frames read so far.
    package private(set) var frame = 0

    private let asked: TestRecognition
    private let shouldContinue: (RecordedRecognition) -> Bool
    private var isStopped = false

    package init(_ asked: TestRecognition, shouldContinue: @escaping (RecordedRecognition) -> Bool) {
        self.asked = asked
        self.shouldContinue = shouldContinue
    }

    package var status: synth_status { outcome.status }
    package var finals: [Text] { texts.filter(\.isFinal) }
    package var partials: [Text] { texts.filter { !$0.isFinal } }

    /// The audio for the recognizer, valid for the lifetime of this object.
    package var sound: synth_sound {
        var sound = synth_sound()
        sound.struct_size = UInt32(MemoryLayout<synth_sound>.size)
        sound.context = Unmanaged.passUnretained(self).toOpaque()
        sound.read = { RecordedRecognition.of($0)?.read($1, $2) ?? 0 }
        sound.ready = { RecordedRecognition.of($0)?.ready() ?? 0 }
        return sound
    }

    package var hearing: synth_hearing {
        var hearing = synth_hearing()
        hearing.struct_size = UInt32(MemoryLayout<synth_hearing>.size)
        hearing.context = Unmanaged.passUnretained(self).toOpaque()
        hearing.text = { RecordedRecognition.of($0)?.text($1) ?? false }
        hearing.event = { RecordedRecognition.of($0)?.event($1) ?? false }
        hearing.progress = { RecordedRecognition.of($0)?.progress($1) ?? false }
        return hearing
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> RecordedRecognition? {
        context.map { Unmanaged<RecordedRecognition>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - Audio

    private func ready() -> Int {
        check(!isStopped, "a call after the host requested a stop")
        return min(asked.piece, asked.sound.count - frame)
    }

    private func read(_ frames: UnsafeMutablePointer<Float>?, _ capacity: Int) -> Int {
        check(!isStopped, "audio read after the host requested a stop")
        guard let frames, capacity > 0 else {
            check(false, "audio read without a buffer")
            return 0
        }
        let count = min(capacity, asked.piece, asked.sound.count - frame)
        for index in 0..<count { frames[index] = asked.sound[frame + index] }
        frame += count
        return count
    }

    // MARK: - Results

    private func text(_ pointer: UnsafePointer<synth_heard>?) -> Bool {
        guard let heard = pointer?.pointee, let start = heard.text else {
            check(false, "a text that is NULL")
            return false
        }
        check(Int(heard.struct_size) == MemoryLayout<synth_heard>.size, "a struct with the wrong size")
        let bytes = Array(UnsafeRawBufferPointer(start: start, count: heard.length))
        check(start[heard.length] == 0, "a text without a terminating NUL")
        check(!bytes.contains(0), "a NUL within a text")
        check(bytes.count <= 65_536, "a text that is too long")
        check(bytes.first != 0x20 && bytes.last != 0x20, "a space at the beginning or end of the text")
        let content = String(validating: bytes, as: UTF8.self)
        check(content != nil, "text that is not UTF-8")
        check(isBorder(heard.stable_length, bytes), "a stable part that ends within a character")
        check([SYNTH_PARTIAL, SYNTH_FINAL].map(\.rawValue).contains(heard.kind), "an unknown kind of text")
        check(heard.word_count <= 2048, "too many words")
        texts.append(
            Text(
                content ?? "", isFinal: heard.kind == SYNTH_FINAL.rawValue, stable: heard.stable_length,
                frames: span(heard.frame, heard.frame_count), words: words(heard, bytes),
                confidence: share(heard.confidence), language: heard.language.map { String(cString: $0) },
                choice: heard.choice))
        return answer()
    }

    private func words(_ heard: synth_heard, _ bytes: [UInt8]) -> [Word] {
        var end = 0
        return (0..<heard.word_count).compactMap { index in
            guard let word = heard.words?[index]?.pointee else {
                check(false, "a word that is NULL")
                return nil
            }
            check(Int(word.struct_size) == MemoryLayout<synth_spoken_word>.size, "a struct with the wrong size")
            let location = word.text_offset..<word.text_offset + word.text_length
            guard location.lowerBound >= end, !location.isEmpty, isBorder(location.lowerBound, bytes),
                isBorder(location.upperBound, bytes)
            else {
                check(false, "a word outside the text, out of order, or within a character")
                return nil
            }
            end = location.upperBound
            return Word(
                String(decoding: bytes[location], as: UTF8.self), span(word.frame, word.frame_count),
                share(word.confidence))
        }
    }

    private func event(_ pointer: UnsafePointer<synth_speech_event>?) -> Bool {
        guard let event = pointer?.pointee else {
            check(false, "an event that is NULL")
            return false
        }
        let begins = event.kind == SYNTH_SPEECH_BEGINS.rawValue
        check(begins != (events.last?.begins ?? false), "the same event twice")
        check(event.frame <= UInt64(frame), "an event in audio that was not read")
        check(event.frame >= events.last?.frame ?? 0, "an event before the previous event")
        events.append(Event(begins: begins, frame: event.frame))
        return answer()
    }

    private func progress(_ done: Float) -> Bool {
        progress.append(share(done))
        return answer()
    }

    package func finish(_ outcome: ErrorReport.Failure) {
        self.outcome = outcome
        check(!isStopped || outcome.status == SYNTH_CANCELLED, "a status other than CANCELLED after a stop")
    }

    private func answer() -> Bool {
        check(!isStopped, "a call after the host requested a stop")
        calls += 1
        isStopped = isStopped || !shouldContinue(self)
        return !isStopped
    }

    // MARK: - Values

    private func span(_ first: UInt64, _ count: UInt64) -> Range<UInt64> {
        let (end, isTooLarge) = first.addingReportingOverflow(count)
        check(!isTooLarge && end <= UInt64(frame), "a position in audio that was not read")
        return first..<(isTooLarge ? first : end)
    }

    private func share(_ value: Float) -> Float {
        check(value == -1 || (0...1).contains(value), "a confidence or progress that is not between 0 and 1")
        return value
    }

    private func isBorder(_ location: Int, _ bytes: [UInt8]) -> Bool {
        (0...bytes.count).contains(location) && (location == bytes.count || bytes[location] & 0xC0 != 0x80)
    }

    private func check(_ rule: Bool, _ violation: String) {
        if !rule { violations.append(violation) }
    }
}
