import SynthAudio
package import SynthEngineProcesses
package import SynthEngineWire
package import SynthSystem

/// What was understood of a part of a long sound.
package struct TranscribedPiece: Equatable, Sendable {
    /// From 0.
    package let index: Int
    /// Of the whole sound.
    package let frames: Range<Int>
    /// Final ones, in the order of their beginnings, with their places in the whole sound.
    package let texts: [HeardText]

    package init(index: Int, frames: Range<Int>, texts: [HeardText]) {
        self.index = index
        self.frames = frames
        self.texts = texts
    }
}

/// Understands a long sound in pieces that are cut in pauses, several at once, and gives them in the order of the sound. The
/// cuts depend on the sound alone, so what was understood once need not be understood again.
package struct Transcriber: Sendable {
    private let rate: Int
    private let longest: Double
    private let lanes: Int
    private let openLane: @Sendable () throws(SpeechError) -> (any HearingLane)?
    private let giveBack: (@Sendable (any HearingLane) -> Void)?
    private let giveUp: (@Sendable () -> Void)?
    private let gate: SpeechGate?

    /// - Parameters:
    ///   - rate: the recognizer's, in hertz.
    ///   - longest: of a piece, in seconds.
    ///   - lanes: how many pieces at once.
    ///   - gate: says where somebody speaks; nil = all of the sound is understood.
    ///   - giveBack: gets each lane after each piece, so that others have their turn; nil = they are kept to the end.
    ///   - giveUp: called when nobody wants more: whoever waits in `openLane` is to return.
    ///   - openLane: may be called from several threads at once; nil = nobody wants more.
    package init(
        rate: UInt32, longest: Double, lanes: Int, gate: SpeechGate? = nil,
        giveBack: (@Sendable (any HearingLane) -> Void)? = nil,
        giveUp: (@Sendable () -> Void)? = nil,
        openLane: @escaping @Sendable () throws(SpeechError) -> (any HearingLane)?
    ) {
        self.rate = Int(rate)
        self.longest = longest
        self.lanes = max(1, lanes)
        self.openLane = openLane
        self.gate = gate
        self.giveBack = giveBack
        self.giveUp = giveUp
    }

    /// Blocks until all is understood, and calls `piece` on this thread for one after the other; if it returns false, the rest
    /// is left.
    ///
    /// - Parameters:
    ///   - openSound: called on another thread, which reads the sound.
    ///   - done: so many pieces are passed over.
    ///   - inParts: whether `piece` gets each text as soon as it is understood and all before it are: then pieces with the same index
    ///     follow each other, each with what is new.
    ///   - isStopped: whether nobody wants more: it returns soon.
    ///   - stopping: gets what ends it at once, from any thread.
    package func run(
        _ request: HearingRequest, skipping done: Int = 0, inParts: Bool = false,
        unless isStopped: @escaping @Sendable () -> Bool = { false },
        stopping: (@escaping @Sendable () -> Void) -> Void = { _ in },
        _ openSound: @escaping @Sendable () throws(SpeechError) -> any StoredSound,
        _ piece: (TranscribedPiece) -> Bool
    ) throws(SpeechError) {
        let work = Monitor(Work(next: done))
        stopping { Self.stop(work) }
        if !startThread("sound", { read(openSound, skipping: done, isStopped, work) }) {
            work.update { $0.hasEnded = true }
        }
        for _ in 0..<lanes {
            work.update { $0.working += 1 }
            if !startThread("recognizer", { understand(request, inParts: inParts, work) }) {
                work.update { $0.working -= 1 }
            }
        }
        defer {
            Self.stop(work)
            giveUp?()
            // Whoever gave the lanes may end them now.
            _ = work.wait { $0.working == 0 && $0.hasEnded ? true : nil }
        }
        while true {
            let found = work.wait { work -> Result<TranscribedPiece?, SpeechError>? in
                if work.isStopped { return .success(nil) }
                if let part = work.takePart() { return .success(part) }
                if let found = work.understood[work.next] {
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

    /// What the threads share.
    private struct Work {
        /// The piece that is given next.
        var next: Int
        /// Those that wait for a lane, and how many were cut so far.
        var waiting: [(index: Int, piece: PauseCutter.Piece)] = []
        var count = 0
        var isRead = false
        var soundFailure: SpeechError?
        var understood: [Int: TranscribedPiece] = [:]
        var failures: [Int: SpeechError] = [:]
        var lanes: [ObjectIdentifier: any HearingLane] = [:]
        var working = 0
        var isStopped = false
        /// The reading thread has ended.
        var hasEnded = false
        /// Texts of pieces that are not whole, which nobody has been given.
        var parts: [TranscribedPiece] = []

        init(next: Int) { self.next = next }

        mutating func takePart() -> TranscribedPiece? {
            let next = next
            return parts.firstIndex { $0.index == next }.map { parts.remove(at: $0) }
        }

        /// The next piece was given.
        mutating func endPiece() {
            understood[next] = nil
            next += 1
        }

        /// All that could be read comes before it.
        func soundFailure(at index: Int) -> SpeechError? {
            isRead && index == count ? soundFailure : nil
        }
    }

    private static func stop(_ work: Monitor<Work>) {
        work.update { work in
            work.isStopped = true
            // Not later: it may be somebody else's by then.
            for lane in work.lanes.values { lane.cancel() }
        }
    }

    private func read(
        _ openSound: () throws(SpeechError) -> any StoredSound, skipping done: Int, _ isStopped: () -> Bool,
        _ work: Monitor<Work>
    ) {
        defer { work.update { $0.hasEnded = true } }
        func end(_ failure: SpeechError?) {
            work.update { work in
                work.soundFailure = failure
                work.isRead = true
            }
        }
        let sound: any StoredSound
        do { sound = try openSound() } catch { return end(error) }
        var cutter = PauseCutter(rate: rate, channels: sound.channels, longest: longest)
        /// False = nobody wants more.
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
        if let rest = cutter.finish() { _ = hand([rest]) }
        end(sound.failure.map { SpeechError($0.ofRecording) })
    }

    private func understand(_ request: HearingRequest, inParts: Bool, _ work: Monitor<Work>) {
        defer { work.update { $0.working -= 1 } }
        var lane: (any HearingLane)?
        while let (index, piece) = next(work) {
            do {
                let frames = piece.start..<piece.end
                var told = 0
                var texts: [HeardText] = []
                for channel in 0..<piece.channels {
                    texts += try understand(piece, channel, request, &lane, work) { text in
                        // The texts of several channels are put in order first.
                        guard inParts, piece.channels == 1 else { return }
                        told += 1
                        let end = min(max(frames.lowerBound, Int(clamping: text.frames.upperBound)), frames.upperBound)
                        let part = TranscribedPiece(index: index, frames: frames.lowerBound..<end, texts: [text])
                        work.update { $0.parts.append(part) }
                    }
                }
                texts.removeFirst(told)
                if piece.channels > 1 {
                    texts.sort {
                        ($0.frames.lowerBound, $0.channel?.number ?? 0) < (
                            $1.frames.lowerBound, $1.channel?.number ?? 0
                        )
                    }
                }
                // What a stopped lane gave is not all of it.
                work.update { work in
                    if work.isStopped { return }
                    work.understood[index] = TranscribedPiece(index: index, frames: frames, texts: texts)
                }
            } catch {
                work.update { $0.failures[index] = error }
            }
        }
    }

    /// The next piece; nil = there is none, or nobody wants it.
    private func next(_ work: Monitor<Work>) -> (index: Int, piece: PauseCutter.Piece)? {
        struct Taken {
            let piece: (index: Int, piece: PauseCutter.Piece)?
        }
        let taken = work.wait { work -> Taken? in
            if work.isStopped { return Taken(piece: nil) }
            if !work.waiting.isEmpty { return Taken(piece: work.waiting.removeFirst()) }
            return work.isRead ? Taken(piece: nil) : nil
        }
        return taken?.piece
    }

    /// A recognizer that ended in the middle is tried once more: it may have been killed from outside.
    ///
    /// - Parameter early: gets the texts as they come; after a second try, none.
    private func understand(
        _ piece: PauseCutter.Piece, _ channel: Int, _ request: HearingRequest, _ lane: inout (any HearingLane)?,
        _ work: Monitor<Work>, early: (HeardText) -> Void
    ) throws(SpeechError) -> [HeardText] {
        let sound = piece.samples(of: channel)
        let speech = gate?.speech(in: sound, rate: rate) { work.read { $0.isStopped } }
        if let speech, speech.areSure, speech.ranges.isEmpty { return [] }
        let samples = speech?.kept(of: sound) ?? sound
        // Whose lane it is after this.
        defer { if giveBack != nil { lane = nil } }
        let texts: [HeardText]
        var latest: UInt64 = 0
        do {
            texts = try understandOnce(samples, request, &lane, work) { text in
                guard let text = speech == nil ? text : speech?.bounded(text, from: latest), text.hasWords else {
                    return
                }
                latest = text.frames.upperBound
                early(text.moved(by: UInt64(piece.start)))
            }
        } catch {
            guard lane?.isAlive == false, !work.read({ $0.isStopped }) else { throw error }
            texts = try understandOnce(samples, request, &lane, work)
        }
        let origin = piece.channels > 1 ? SoundChannel(channel + 1, of: piece.channels) : nil
        return (speech?.bounded(texts) ?? texts).filter(\.hasWords).map { $0.moved(by: UInt64(piece.start), origin) }
    }

    private func understandOnce(
        _ samples: [Float], _ request: HearingRequest, _ lane: inout (any HearingLane)?, _ work: Monitor<Work>,
        early: (HeardText) -> Void = { _ in }
    ) throws(SpeechError) -> [HeardText] {
        if lane?.isAlive != true { lane = try openLane() }
        guard let lane else { return [] }
        work.update { $0.lanes[ObjectIdentifier(lane)] = lane }
        defer {
            work.update { $0.lanes[ObjectIdentifier(lane)] = nil }
            giveBack?(lane)
        }
        var texts: [HeardText] = []
        do {
            _ = try lane.listen(request, to: PieceSound(samples), unless: { work.read { $0.isStopped } }) {
                part in
                if case .text(let text) = part, text.isFinal, !text.text.isEmpty {
                    texts.append(text)
                    early(text)
                }
                return true
            }
        } catch {
            throw SpeechError(recognizer: error)
        }
        return texts
    }
}

/// The sound of a piece, all of it here.
private final class PieceSound: HeardSound {
    private let samples: [Float]
    private var place = 0
    let arrival: Descriptor? = nil

    init(_ samples: [Float]) { self.samples = samples }

    func next(most: Int) -> HeardFrames {
        guard place < samples.count else { return .ended }
        let end = min(samples.count, place + max(1, most))
        defer { place = end }
        return .frames(Array(samples[place..<end]))
    }
}

extension HeardText {
    /// Whether it has a letter or a number. Signs alone are what recognizers write for music and noise.
    var hasWords: Bool {
        text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    /// The same text so many frames later, of a channel.
    func moved(by frames: UInt64, _ channel: SoundChannel? = nil) -> HeardText {
        func moved(_ range: Range<UInt64>) -> Range<UInt64> {
            range.lowerBound + frames..<range.upperBound + frames
        }
        var text = self
        text.channel = channel
        text.frames = moved(text.frames)
        for index in text.words.indices { text.words[index].frames = moved(text.words[index].frames) }
        return text
    }
}
