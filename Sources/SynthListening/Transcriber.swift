import SynthAudio
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthSystem

/// Splits long audio into pieces at pauses and transcribes the pieces. Several pieces are processed in parallel and
/// returned in order. The split points depend only on the audio, so an interrupted transcription can resume with the
/// remaining pieces.
package struct Transcriber: Sendable {
    private let rate: Int
    private let longest: Double
    private let lanes: Int
    private let openLane: @Sendable () throws(SpeechError) -> (any RecognitionLane)?
    private let release: (@Sendable (any RecognitionLane) -> Void)?
    private let giveUp: (@Sendable () -> Void)?
    private let gate: SpeechGate?

    /// - Parameters:
    ///   - rate: the recognizer's sample rate in hertz.
    ///   - longest: the maximum duration of a piece in seconds.
    ///   - lanes: the number of pieces to process in parallel.
    ///   - gate: detects speech, or nil to transcribe all of the audio.
    ///   - release: receives the lane after each piece so that other clients can use it, or nil to keep the lanes until
    ///     the end.
    ///   - giveUp: called when the work is stopped. Must make pending calls to `openLane` return.
    ///   - openLane: opens a lane, or returns nil if the work is stopped. May be called concurrently from several threads.
    package init(
        rate: UInt32, longest: Double, lanes: Int, gate: SpeechGate? = nil,
        release: (@Sendable (any RecognitionLane) -> Void)? = nil,
        giveUp: (@Sendable () -> Void)? = nil,
        openLane: @escaping @Sendable () throws(SpeechError) -> (any RecognitionLane)?
    ) {
        self.rate = Int(rate)
        self.longest = longest
        self.lanes = max(1, lanes)
        self.openLane = openLane
        self.gate = gate
        self.release = release
        self.giveUp = giveUp
    }

    /// Transcribes the audio and calls `piece` on the calling thread for each piece, in order. Blocks until all audio has been
    /// transcribed or `piece` returns false.
    ///
    /// - Parameters:
    ///   - openSound: opens the audio. Called on the thread that reads it.
    ///   - done: the number of pieces to skip.
    ///   - inParts: whether `piece` receives each text as soon as it and all earlier texts are final. Consecutive calls may
    ///     then have the same index, each with new texts.
    ///   - isStopped: returns true to stop the transcription. Checked while the audio is read.
    ///   - stopping: receives a callback that stops the work immediately and can be called from any thread.
    package func run(
        _ request: RecognitionJob, skipping done: Int = 0, inParts: Bool = false,
        unless isStopped: @escaping @Sendable () -> Bool = { false },
        stopping: (@escaping @Sendable () -> Void) -> Void = { _ in },
        _ openSound: @escaping @Sendable () throws(SpeechError) -> any StoredAudio,
        _ piece: (TranscribedPiece) -> Bool
    ) throws(SpeechError) {
        let work = Monitor(Work(next: done))
        var request = request
        request.wants.insert(.leftOut)
        if inParts { request.wants.insert(.partials) }
        stopping { Self.stop(work) }
        if !startThread("sound", { read(openSound, skipping: done, isStopped, work) }) {
            work.update { $0.hasEnded = true }
        }
        for _ in 0..<lanes {
            work.update { $0.working += 1 }
            if !startThread("recognizer", { [request] in transcribe(request, inParts: inParts, work) }) {
                work.update { $0.working -= 1 }
            }
        }
        defer {
            Self.stop(work)
            giveUp?()
            // The owner of the lanes may close them as soon as this method returns.
            _ = work.wait { $0.working == 0 && $0.hasEnded ? true : nil }
        }
        while true {
            let found = work.wait { work -> Result<TranscribedPiece?, SpeechError>? in
                if work.isStopped { return .success(nil) }
                if let part = work.takePart() { return .success(part) }
                if let found = work.transcribed[work.next] {
                    work.endPiece()
                    return .success(found)
                }
                if let failure = work.failures[work.next] ?? work.soundFailure(at: work.next) {
                    return .failure(failure)
                }
                if work.isRead && work.next >= work.count { return .success(nil) }
                return work.working == 0 || work.hasEnded && !work.isRead ? .failure(.noThread) : nil
            }
            guard let next = try found?.get(), piece(next) else { return }
        }
    }

    /// The state shared by the threads.
    private struct Work {
        /// The index of the next piece to return.
        var next: Int
        /// The pieces waiting for a lane.
        var waiting: [(index: Int, piece: PauseCutter.Piece)] = []
        /// The number of pieces that have been split off so far.
        var count = 0
        var isRead = false
        var soundFailure: SpeechError?
        var transcribed: [Int: TranscribedPiece] = [:]
        var failures: [Int: SpeechError] = [:]
        var lanes: [ObjectIdentifier: any RecognitionLane] = [:]
        var working = 0
        var isStopped = false
        /// Whether the reading thread has ended.
        var hasEnded = false
        /// Texts of incomplete pieces that have not been returned.
        var parts: [TranscribedPiece] = []

        init(next: Int) { self.next = next }

        mutating func takePart() -> TranscribedPiece? {
            let next = next
            return parts.firstIndex { $0.index == next }.map { parts.remove(at: $0) }
        }

        /// Marks the next piece as returned.
        mutating func endPiece() {
            transcribed[next] = nil
            next += 1
        }

        /// Returns the read error if all audio before the error has been returned.
        func soundFailure(at index: Int) -> SpeechError? {
            isRead && index == count ? soundFailure : nil
        }
    }

    private static func stop(_ work: Monitor<Work>) {
        work.update { work in
            work.isStopped = true
            // Cancel the lanes while the lock is held, because a lane that has been returned may belong to another
            // client.
            for lane in work.lanes.values { lane.cancel() }
        }
    }

    private func read(
        _ openSound: () throws(SpeechError) -> any StoredAudio, skipping done: Int, _ isStopped: () -> Bool,
        _ work: Monitor<Work>
    ) {
        defer { work.update { $0.hasEnded = true } }
        func end(_ failure: SpeechError?) {
            work.update { work in
                work.soundFailure = failure
                work.isRead = true
            }
        }
        let sound: any StoredAudio
        do { sound = try openSound() } catch { return end(error) }
        var cutter = PauseCutter(rate: rate, channels: sound.channels, longest: longest)
        /// Returns false if the work was stopped.
        func hand(_ pieces: [PauseCutter.Piece]) -> Bool {
            for piece in pieces {
                let isWanted = work.wait { work -> Bool? in
                    if work.isStopped { return false }
                    return work.waiting.count < lanes ? true : nil
                }
                guard isWanted == true else { return false }
                work.update { work in
                    if work.count >= done { work.waiting.append((work.count, piece)) }
                    work.count += 1
                }
            }
            return true
        }
        while case .frames(let samples) = sound.next(most: rate) {
            if isStopped() { return work.update { ($0.isStopped, $0.isRead) = (true, true) } }
            guard hand(cutter.add(samples)) else { return end(nil) }
        }
        // After a temporary error, the remaining audio is not transcribed: the piece would end in the middle of a word,
        // and a resumed transcription would continue from there.
        if sound.failure?.clip?.isTemporary != true, let rest = cutter.finish() { _ = hand([rest]) }
        end(sound.failure.map { SpeechError($0.ofRecording) })
    }

    private func transcribe(_ request: RecognitionJob, inParts: Bool, _ work: Monitor<Work>) {
        defer { work.update { $0.working -= 1 } }
        var lane: (any RecognitionLane)?
        while let (index, piece) = next(work) {
            do {
                let frames = piece.start..<piece.end
                var told = 0
                var texts: [RecognizedText] = []
                for channel in 0..<piece.channels {
                    texts += try transcribe(piece, channel, request, &lane, work) { text in
                        // Texts from several channels must be sorted before they are returned.
                        guard inParts, piece.channels == 1 else { return }
                        guard text.isFinal else {
                            let beginning = String(decoding: text.text.utf8.prefix(text.stable), as: UTF8.self)
                            let part = TranscribedPiece(
                                index: index, frames: frames.lowerBound..<frames.lowerBound, texts: [],
                                beginning: beginning)
                            return work.update { $0.parts.append(part) }
                        }
                        told += 1
                        let end = min(max(frames.lowerBound, Int(clamping: text.frames.upperBound)), frames.upperBound)
                        let part = TranscribedPiece(index: index, frames: frames.lowerBound..<end, texts: [text])
                        work.update { $0.parts.append(part) }
                    }
                }
                let leftOut = texts.filter { $0.leftOut != nil }
                texts = Array(texts.filter { $0.leftOut == nil }.dropFirst(told))
                if piece.channels > 1 {
                    texts.sort {
                        ($0.frames.lowerBound, $0.channel?.number ?? 0) < (
                            $1.frames.lowerBound, $1.channel?.number ?? 0
                        )
                    }
                }
                // The result of a stopped lane is incomplete.
                let found = TranscribedPiece(index: index, frames: frames, texts: texts, leftOut: leftOut)
                work.update { work in
                    if work.isStopped { return }
                    work.transcribed[index] = found
                }
            } catch {
                work.update { $0.failures[index] = error }
            }
        }
    }

    /// Returns the next piece, or nil after the last one or if the work was stopped.
    private func next(_ work: Monitor<Work>) -> (index: Int, piece: PauseCutter.Piece)? {
        let taken: (index: Int, piece: PauseCutter.Piece)?? = work.wait { work in
            if work.isStopped { return .some(nil) }
            if !work.waiting.isEmpty { return work.waiting.removeFirst() }
            return work.isRead ? .some(nil) : nil
        }
        return taken ?? nil
    }

    /// Transcribes a piece and returns its texts, including rejected ones. If the recognizer process exits, retries
    /// once, because another program may have killed the process.
    ///
    /// - Parameter early: receives the texts as they are recognized, but not during a retry.
    private func transcribe(
        _ piece: PauseCutter.Piece, _ channel: Int, _ request: RecognitionJob, _ lane: inout (any RecognitionLane)?,
        _ work: Monitor<Work>, early: (RecognizedText) -> Void
    ) throws(SpeechError) -> [RecognizedText] {
        let sound = piece.samples(of: channel)
        let speech = gate?.speech(in: sound, rate: rate) { work.read { $0.isStopped } }
        if let speech, speech.areSure, speech.ranges.isEmpty { return [] }
        let samples = speech?.kept(of: sound) ?? sound
        // A lane that has been returned may belong to another client.
        defer { if release != nil { lane = nil } }
        let texts: [RecognizedText]
        var latest: UInt64 = 0
        // A text is not rejected if its beginning has already been reported.
        var (promised, finals, kept) = (0, 0, Set<Int>())
        do {
            texts = try transcribeOnce(samples, request, &lane, work) { told in
                guard told.isFinal else {
                    promised = max(promised, told.stable)
                    if told.stable > 0, told.hasWords { early(told) }
                    return
                }
                defer {
                    finals += 1
                    promised = max(0, promised - told.text.utf8.count - 1)
                }
                var text = speech == nil ? told : speech?.bounded(told, from: latest)
                if text == nil, promised > 0 {
                    kept.insert(finals)
                    text = told
                }
                guard let text, text.hasWords else { return }
                latest = text.frames.upperBound
                early(text.moved(by: UInt64(piece.start)))
            }
        } catch {
            guard lane?.isAlive == false, !work.read({ $0.isStopped }) else { throw error }
            kept = []
            texts = try transcribeOnce(samples, request, &lane, work)
        }
        let origin = piece.channels > 1 ? SoundChannel(channel + 1, of: piece.channels) : nil
        return (speech?.bounded(texts, keeping: kept) ?? texts).filter(\.hasWords).map {
            $0.moved(by: UInt64(piece.start), origin)
        }
    }

    private func transcribeOnce(
        _ samples: [Float], _ request: RecognitionJob, _ lane: inout (any RecognitionLane)?, _ work: Monitor<Work>,
        early: (RecognizedText) -> Void = { _ in }
    ) throws(SpeechError) -> [RecognizedText] {
        if lane?.isAlive != true { lane = try openLane() }
        guard let lane else { return [] }
        work.update { $0.lanes[ObjectIdentifier(lane)] = lane }
        defer {
            work.update { $0.lanes[ObjectIdentifier(lane)] = nil }
            release?(lane)
        }
        var texts: [RecognizedText] = []
        _ = try rethrowing(
            lane.listen(request, to: MemoryAudio(samples), unless: { work.read { $0.isStopped } }) { part in
                if case .text(let text) = part, !text.text.isEmpty {
                    if text.isFinal || text.leftOut != nil { texts.append(text) }
                    if text.leftOut == nil { early(text) }
                }
                return true
            }, as: SpeechError.ofRecognizer)
        return texts
    }
}
