package import SynthSystem

/// Splits plain text into utterances as it arrives.
///
/// Append a chunk, call `next()` until it returns nil, then append the next chunk. Call `finish()` at the end. Holds
/// only one utterance and the text that has yet to be returned. Runs in linear time, and chunk sizes do not affect the
/// result. Not thread-safe; never blocks.
///
/// Every byte that is not white space, a control character or part of a terminal escape sequence is in exactly one
/// utterance, in order. An utterance's text has the same length as its source.
package struct PlainTextScript: Sendable {
    private var buffer: [UInt8] = []
    /// The document offset of `buffer[0]`.
    private var base = 0
    private var validator = UTF8Validator()
    private var filter = ControlFilter()
    private var counter = CharacterCounter()
    private var scanner: SentenceScanner
    private var input = SentenceScanner.Input.open

    package init(limits: UtteranceLimits = UtteranceLimits()) {
        scanner = SentenceScanner(limits: limits)
    }

    /// The limits for subsequent utterances.
    package var limits: UtteranceLimits {
        get { scanner.limits }
        set { scanner.limits = newValue }
    }

    /// The number of buffered bytes.
    package var bufferedBytes: Int {
        buffer.count
    }

    /// The number of scan steps, a machine-independent measure of work.
    package var work: Int {
        scanner.work
    }

    /// Appends the next bytes of the document. After an invalid byte, the text before it can still be read, but all
    /// further calls throw the same error. Bytes after `finish()` are ignored.
    package mutating func append(_ bytes: Span<UInt8>) throws(SpeechError) {
        guard input != .complete else { return try validator.validate(bytes.extracting(first: 0)) }
        input = .open
        dropConsumed()
        let held = validator.offset
        do {
            try validator.validate(bytes)
        } catch {
            let valid = validator.offset - held
            if valid >= 0 {
                take(bytes.extracting(first: min(valid, bytes.count)))
            } else {
                buffer.removeLast(min(-valid, buffer.count))
            }
            input = .complete
            throw error
        }
        take(bytes)
    }

    /// Appends bytes from a buffer filled by a system call.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(SpeechError) {
        try append(bytes.assumingMemoryBound(to: UInt8.self).span)
    }

    package mutating func append(_ text: String) throws(SpeechError) {
        try append(Array(text.utf8).span)
    }

    /// Marks the end of the document. `next()` then returns the remaining text.
    package mutating func finish() throws(SpeechError) {
        if input != .complete { buffer.removeLast(validator.incompleteBytes) }
        input = .complete
        try validator.finish()
    }

    /// Call this if no text has arrived for some time. If the buffered text ends with a complete sentence or a line
    /// break, the utterance then ends there. Call `next()` until it returns nil before the next `append`.
    package mutating func flushIdle() {
        if input == .open { input = .idle }
    }

    /// Call this if a listener is waiting for the next utterance. The limits for a first utterance then apply to it;
    /// see `UtteranceLimits`. An utterance that has already begun is not affected.
    package mutating func restartFromBeginning() {
        scanner.restartFromBeginning()
    }

    /// Returns the next utterance, or nil if more text or `finish()` is needed to find its end.
    package mutating func next() -> Utterance? {
        let end = input == .complete ? buffer.count : buffer.count - validator.incompleteBytes
        let held = buffer
        guard let piece = scanner.next(in: held.span, end: end, input: input) else { return nil }
        let location = base + piece.range.lowerBound..<base + piece.range.upperBound
        counter.advance(to: location.lowerBound, in: held, from: base)
        return Utterance(
            text: text(of: piece.range), source: SourceMap(offset: location.lowerBound), pauseAfter: piece.pause,
            characters: counter.positions(of: location))
    }

    /// Filters bytes and appends them.
    private mutating func take(_ bytes: Span<UInt8>) {
        // The filter may still change the last two bytes of its output.
        let tail = Array(buffer.suffix(2))
        let start = buffer.count - tail.count
        filter.append(bytes, to: &buffer)
        counter.note(
            at: base + start, before: bytes.withUnsafeBufferPointer { tail + $0 }, after: buffer[start...])
    }

    private func text(of range: Range<Int>) -> String {
        String(unsafeUninitializedCapacity: range.count) { target in
            let source = buffer.span
            for index in range {
                let byte = source[index]
                target.initializeElement(at: index - range.lowerBound, to: byte < 0x20 ? 0x20 : byte)
            }
            return range.count
        }
    }

    /// Removes processed bytes once they make up at least half of the buffer, so that the remaining bytes are seldom
    /// moved.
    private mutating func dropConsumed() {
        let taken = scanner.firstNeeded
        guard taken >= buffer.count - taken, taken > 0 else { return }
        counter.advance(to: base + taken, in: buffer, from: base)
        buffer.removeFirst(taken)
        base += taken
        scanner.forget(taken)
    }
}
