import CSynthEngine
import Glibc
import Synchronization
import SynthEngineLoading
import SynthEngineWire

/// Provides a recognizer with the audio of a request, and records its calls to host functions. The first violation of
/// each rule is stored for the check of that rule. Used only by the thread that calls `recognize`.
final class RecognitionRecord: CallRecord {
    enum Call: String {
        case read
        case text
        case event
        case progress
    }

    /// The rules that have their own checks.
    enum Rule {
        case reading
        case text
        case stable
        case event
    }

    struct Event: Equatable {
        let begins: Bool
        let frame: UInt64
    }

    private(set) var texts: [RecognizedText] = []
    private(set) var events: [Event] = []
    /// The first violation of each rule, phrased to follow "It".
    private(set) var faults: [Rule: String] = [:]
    private(set) var framesRead = 0
    private(set) var calls = 0
    private(set) var callsAfterStop = 0
    private(set) var isStopped = false
    /// The longest time between two consecutive calls.
    private(set) var longestPause = Duration.zero
    /// The maximum distance, in frames, between an event and the read position when the event was reported.
    private(set) var longestEventDelay = 0
    private(set) var firstText: ContinuousClock.Instant?
    /// The number of calls that were made after `recognize` had returned, or from other threads.
    var strayCalls: Int { strays.load(ordering: .sequentiallyConsistent) }

    /// The name of the audio, phrased to follow "transcribing".
    private(set) var name: String
    private(set) var frameCount: Int
    private let samples: [Float]
    private let piece: Int
    private let answer: (RecognitionRecord, Call) -> Bool
    private var request = RecognitionJob()
    private var mustStop = false
    private var latest: ContinuousClock.Instant?
    private var validator = RecognitionValidator()
    /// The thread that calls `recognize`, or 0 if no call is in progress.
    private let owner = Atomic<UInt>(0)
    private let strays = Atomic<Int>(0)

    /// - Parameters:
    ///   - piece: the maximum number of frames per read.
    ///   - answer: returns false to stop. In that case, a read reports the end of the audio and other calls return
    ///     false.
    init(
        _ sound: ProbeSound, piece: Int = .max,
        answer: @escaping (RecognitionRecord, Call) -> Bool = { _, _ in true }
    ) {
        name = sound.name
        samples = sound.samples
        frameCount = samples.count
        self.piece = piece
        self.answer = answer
    }

    var finals: [RecognizedText] { texts.filter(\.isFinal) }

    /// The final texts without their confidences, whose last digits may vary.
    var bareFinals: [RecognizedText] {
        finals.map { heard in
            var heard = heard
            heard.confidence = nil
            heard.words = heard.words.map { RecognizedWord(text: $0.text, frames: $0.frames) }
            return heard
        }
    }

    func isHeardLike(_ other: RecognitionRecord) -> Bool { bareFinals == other.bareFinals }

    /// Whether a read returned 0 because of a stop rather than the end of the audio.
    private(set) var endWasAStop = false

    /// Returns a violation that the other record does not contain. Another check reports violations that both records
    /// contain.
    func fault(notIn plain: RecognitionRecord) -> String? {
        faults.first { plain.faults[$0.key] == nil }?.value
    }

    /// Truncates the audio to the recognizer's limit, as the host does.
    func cut(to longest: Int) {
        guard longest < frameCount else { return }
        frameCount = longest
        name = "the beginning of \(name)"
    }

    func begin(_ request: RecognitionJob) {
        self.request = request
        latest = .now
        owner.store(UInt(pthread_self()), ordering: .sequentiallyConsistent)
    }

    func end() {
        measure()
        owner.store(0, ordering: .sequentiallyConsistent)
    }

    // MARK: - The host functions, valid while this object exists

    var sound: synth_sound {
        var sound = synth_sound()
        sound.struct_size = UInt32(MemoryLayout<synth_sound>.size)
        sound.context = Unmanaged.passUnretained(self).toOpaque()
        sound.read = { RecognitionRecord.from($0)?.read($1, $2) ?? 0 }
        sound.ready = { RecognitionRecord.from($0)?.ready() ?? 0 }
        return sound
    }

    var hearing: synth_hearing {
        var hearing = synth_hearing()
        hearing.struct_size = UInt32(MemoryLayout<synth_hearing>.size)
        hearing.context = Unmanaged.passUnretained(self).toOpaque()
        hearing.text = { RecognitionRecord.from($0)?.text($1) ?? false }
        hearing.event = { RecognitionRecord.from($0)?.event($1) ?? false }
        hearing.progress = { RecognitionRecord.from($0)?.progress($1) ?? false }
        return hearing
    }

    /// Returns the record, or nil if the call was made too late or from another thread.
    private static func from(_ context: UnsafeMutableRawPointer?) -> RecognitionRecord? {
        guard let context else { return nil }
        let record = Unmanaged<RecognitionRecord>.fromOpaque(context).takeUnretainedValue()
        guard record.owner.load(ordering: .sequentiallyConsistent) == UInt(pthread_self()) else {
            record.strays.add(1, ordering: .sequentiallyConsistent)
            return nil
        }
        return record
    }

    private func read(_ frames: UnsafeMutablePointer<Float>?, _ capacity: Int) -> Int {
        measure()
        defer { latest = .now }
        calls += 1
        if isStopped { callsAfterStop += 1 }
        guard let frames, capacity > 0 else {
            note(.reading, "read audio without a buffer")
            return 0
        }
        if !mustStop, !isStopped, !answer(self, .read) { mustStop = true }
        guard !mustStop, !isStopped else {
            endWasAStop = true
            return 0
        }
        let count = min(capacity, piece, frameCount - framesRead)
        samples.withUnsafeBufferPointer { samples in
            if let start = samples.baseAddress { frames.update(from: start + framesRead, count: count) }
        }
        framesRead += count
        return count
    }

    private func ready() -> Int {
        if isStopped { callsAfterStop += 1 }
        return mustStop || isStopped ? 0 : min(piece, frameCount - framesRead)
    }

    private func text(_ pointer: UnsafePointer<synth_heard>?) -> Bool {
        measure()
        defer { latest = .now }
        if firstText == nil { firstText = .now }
        if let heard = pointer.map({ synth_heard_known($0) }) {
            let validated = validator.text(heard, of: request, read: UInt64(framesRead), note)
            texts.append(validated ?? RecognitionValidator.raw(heard))
        } else {
            note(.text, "reported a NULL text")
        }
        return reply(.text)
    }

    private func event(_ pointer: UnsafePointer<synth_speech_event>?) -> Bool {
        measure()
        defer { latest = .now }
        guard let event = pointer.map({ synth_speech_event_known($0) }) else {
            note(.event, "reported a NULL event")
            return reply(.event)
        }
        switch event.kind {
        case SYNTH_SPEECH_BEGINS.rawValue: change(event, begins: true)
        case SYNTH_SPEECH_ENDS.rawValue: change(event, begins: false)
        default: note(.event, "reported an event of the unknown kind \(event.kind)")
        }
        return reply(.event)
    }

    private func change(_ event: synth_speech_event, begins: Bool) {
        if events.isEmpty, !begins {
            note(.event, "reported the end of speech before its start")
        } else if events.last?.begins == begins {
            note(.event, "reported twice that speech \(begins ? "started" : "ended")")
        } else if event.frame > framesRead {
            note(.event, "reported speech at frame \(event.frame), but had read only \(framesRead) frames")
        } else if event.frame < events.last?.frame ?? 0 {
            note(.event, "reported speech at frame \(event.frame) after an event at frame \(events.last?.frame ?? 0)")
        } else {
            longestEventDelay = max(longestEventDelay, framesRead - Int(event.frame))
        }
        events.append(Event(begins: begins, frame: event.frame))
    }

    private func progress(_ done: Float) -> Bool {
        measure()
        defer { latest = .now }
        if done != -1, !(0...1).contains(done) { note(.text, "reported the invalid progress \(done)") }
        return reply(.progress)
    }

    private func reply(_ call: Call) -> Bool {
        calls += 1
        if isStopped {
            callsAfterStop += 1
            return false
        }
        isStopped = mustStop || !answer(self, call)
        return !isStopped
    }

    private func measure() {
        if let latest { longestPause = max(longestPause, .now - latest) }
    }

    private func note(_ rule: Rule, _ words: String) {
        if faults[rule] == nil { faults[rule] = words }
    }
}
