import Glibc
import SynthAudio
import SynthEngineProcesses
import SynthEngineWire
import SynthHost
import SynthListening
import SynthSystem

/// The state shared by a scripted recognizer's microphone and lane: the current take and the lane's position in it. The microphone waits
/// for the lane, so that the order of events is deterministic.
final class ScriptedInput: Sendable {
    private struct State {
        var take = ScriptedTake([])
        var transcribed = 0
        var isStopped = false
    }
    private let state = Monitor(State())

    func begin(_ take: ScriptedTake) { state.update { $0 = State(take: take) } }

    var take: ScriptedTake { state.read { $0.take } }

    func transcribed(_ frames: Int) { state.update { $0.transcribed += frames } }

    func stop() { state.update { $0.isStopped = true } }

    var isStopped: Bool { state.read { $0.isStopped } }

    var place: Int { state.read { $0.transcribed } }

    /// Blocks until the lane has processed `frame` frames. Returns false if listening has ended.
    func waitForRecognizer(at frame: Int) -> Bool {
        state.wait { state -> Bool? in
            if state.isStopped { return false }
            return state.transcribed >= frame ? true : nil
        } ?? false
    }
}

struct ScriptedSounds: SoundSource {
    let recognizer: ScriptedRecognizer
    let room: ScriptedInput

    func microphone(_ device: String, rate: UInt32) throws(AudioError) -> any Microphone {
        room.begin(ScriptedTake(recognizer.nextTake()))
        recognizer.opens()
        return ScriptedMicrophone(recognizer, room, device)
    }

    func sound(of file: ClipFile, rate: UInt32, splitsChannels: Bool) throws(AudioError) -> any StoredAudio {
        let take = ScriptedTake(recognizer.nextTake())
        room.begin(take)
        return ScriptedFile(take, path: file.path)
    }

    func seconds(of file: ClipFile, rate: UInt32) throws(AudioError) -> Double? {
        Double(ScriptedTake(recognizer.upcomingTake).count) / Double(rate)
    }
}

/// A microphone that returns the frames of a take, followed by silence. It returns each chunk once the lane has
/// processed the previous chunk.
private final class ScriptedMicrophone: Microphone, @unchecked Sendable {
    private let recognizer: ScriptedRecognizer
    private let room: ScriptedInput
    private let device: String
    // Used only on the reading thread.
    private var place = 0
    private var passed = 0
    private var isOpen = true

    private static let block = Int(ScriptedRecognizer.rate) / 100

    init(_ recognizer: ScriptedRecognizer, _ room: ScriptedInput, _ device: String) {
        self.recognizer = recognizer
        self.room = room
        self.device = device
    }

    deinit { close() }

    func read() throws(AudioError) -> [Float]? {
        while isOpen, room.waitForRecognizer(at: place) {
            guard let (index, stretch) = room.take.stretch(at: place, after: passed) else {
                return heard([Float](repeating: 0, count: Self.block))
            }
            switch stretch.sound.content {
            case .held:
                recognizer.waitForRelease { [room] in room.isStopped }
                passed = index + 1
            case .unplugged: throw .deviceFailed(device: device, code: ENODEV)
            case .crash: passed = index + 1
            case .silence, .noise, .speech:
                let end = min(stretch.frames.upperBound, place + Self.block)
                if stretch.frames.isEmpty {
                    passed = index + 1
                } else {
                    return heard(ScriptedTake.samples(of: stretch, place..<end))
                }
            }
        }
        return nil
    }

    private func heard(_ samples: [Float]) -> [Float] {
        place += samples.count
        recognizer.hears(samples.count)
        return samples
    }

    func stop() {
        room.stop()
        recognizer.wake()
    }

    func close() {
        if isOpen { recognizer.closes() }
        isOpen = false
    }
}

private final class ScriptedFile: StoredAudio {
    let arrival: Descriptor? = nil
    private(set) var failure: AudioError?
    private let take: ScriptedTake
    private let path: String
    private var place = 0
    private var passed = 0

    init(_ take: ScriptedTake, path: String) {
        self.take = take
        self.path = path
    }

    func next(most: Int) -> RecognizerInput {
        while let (index, stretch) = take.stretch(at: place, after: passed) {
            switch stretch.sound.content {
            case .unplugged:
                failure = AudioError.clip(path, .cutShort(frame: place))
                return .ended
            case .silence, .noise, .speech:
                let end = min(stretch.frames.upperBound, place + max(1, most))
                if place < end {
                    defer { place = end }
                    return .frames(ScriptedTake.samples(of: stretch, place..<end))
                }
            case .held, .crash: break
            }
            passed = index + 1
        }
        return .ended
    }
}

/// A scripted recognizer's lane, which returns the take's texts for the audio that it has read.
final class ScriptedRecognizerLane: RecognitionLane {
    private let room: ScriptedInput
    private let cancels = Monitor(0)
    private let wakeUp: WakeUp?
    private let isDead = Monitor(false)

    init(_ room: ScriptedInput) {
        self.room = room
        wakeUp = try? WakeUp()
    }

    var isAlive: Bool { isDead.read { !$0 } }

    func cancel() {
        cancels.update { $0 += 1 }
        wakeUp?.signal()
    }

    func listen(
        _ request: RecognitionJob, to sound: some RecognizerAudio, unless isStopped: () -> Bool,
        _ part: (RecognizedPart) -> Bool
    ) throws(EngineFailure) -> Bool {
        let before = cancels.read { $0 }
        wakeUp?.clear()
        if isStopped() { return false }
        // Each chunk of a file starts where the previous chunk ended.
        let first = room.place
        var report = ScriptedReport(room.take, from: first, request)
        var place = first
        while cancels.read({ $0 }) == before {
            switch sound.next(most: 1600) {
            case .frames(let samples):
                let crash = room.take.crash ?? .max
                for text in report.texts(upTo: min(place + samples.count, crash), isEnd: false) {
                    guard part(.text(text)) else { return false }
                }
                place += samples.count
                if crash < place { throw failure() }
                room.transcribed(samples.count)
            case .nothing: wait(for: sound.arrival)
            case .ended:
                for text in report.texts(upTo: place, isEnd: true) { guard part(.text(text)) else { return false } }
                return true
            }
        }
        return false
    }

    private func failure() -> EngineFailure {
        isDead.update { $0 = true }
        room.stop()
        return EngineFailure(engine: ScriptedRecognizer.id, reason: .crashed(signal: SIGSEGV, .listening))
    }

    private func wait(for arrival: Descriptor?) {
        let waited = [arrival, wakeUp?.descriptor].compactMap(\.self).map { ($0.raw, events: POLLIN) }
        _ = try? Poll.wait(waited)
    }
}

/// Tracks which of a take's texts have been returned.
private struct ScriptedReport {
    private let take: ScriptedTake
    private let first: Int
    private let request: RecognitionJob
    /// The index of the next speech sound.
    private var speech: Int
    /// The number of words of the next speech sound that have been returned.
    private var told = 0

    init(_ take: ScriptedTake, from first: Int, _ request: RecognitionJob) {
        self.take = take
        self.first = first
        self.request = request
        speech = take.speeches.firstIndex { ($0.words.last?.frames.upperBound ?? 0) > first } ?? take.speeches.count
    }

    /// Returns the texts that end at or before `frame` and have not been returned yet.
    ///
    /// - Parameter isEnd: whether this is the end of the audio.
    mutating func texts(upTo frame: Int, isEnd: Bool) -> [RecognizedText] {
        var texts: [RecognizedText] = []
        while speech < take.speeches.count {
            let next = take.speeches[speech]
            let said = next.words.count { $0.frames.upperBound <= frame }
            while told < said {
                told += 1
                if told < next.words.count, request.wants.contains(.partials) {
                    texts.append(text(of: next, words: told, isFinal: false))
                }
            }
            guard said == next.words.count || isEnd && said > 0 else { break }
            texts.append(text(of: next, words: said, isFinal: true))
            speech += 1
            told = 0
        }
        return texts
    }

    private func text(of speech: ScriptedTake.Speech, words count: Int, isFinal: Bool) -> RecognizedText {
        // A word may have begun in the previous chunk, before `first`.
        func moved(_ frame: Int) -> UInt64 { UInt64(max(0, frame - first)) }
        let words = speech.words.prefix(count)
        let end = words.last?.text.upperBound ?? 0
        let confidence = speech.confidence.map { Float(max(0, min(1, $0))) }
        return RecognizedText(
            String(decoding: speech.text.utf8.prefix(end), as: UTF8.self), isFinal: isFinal,
            frames: moved(words.first?.frames.lowerBound ?? first)..<moved(words.last?.frames.upperBound ?? first),
            words: !request.wants.contains(.words)
                ? []
                : words.map { word in
                    RecognizedWord(
                        text: word.text, frames: moved(word.frames.lowerBound)..<moved(word.frames.upperBound),
                        confidence: confidence)
                }, confidence: confidence)
    }
}
