import Synchronization
package import SynthAudio
package import SynthHost
import SynthSystem

/// A speech of a service, read by one thread; any may cancel it.
package final class ServiceSpeech: Sendable {
    private let speech: Speech
    private let count: CountedSpeech
    private let noted: ServiceNotices
    private let onEnd: @Sendable () -> Void
    private let hasEnded = Atomic<Bool>(false)

    /// - Parameter onEnd: called once, on any thread.
    init(_ speech: Speech, _ count: CountedSpeech, _ notices: ServiceNotices, onEnd: @escaping @Sendable () -> Void) {
        self.speech = speech.noting(by: notices.add)
        self.count = count
        noted = notices
        self.onEnd = onEnd
    }

    deinit { end() }

    /// Gives its parts as they come, on this thread, which blocks. Returns after the last, and once it was cancelled.
    ///
    /// - Parameter take: what it throws ends the speech.
    package func read<Failure>(
        _ take: ([Speech.Part]) throws(Failure) -> Void
    ) throws(SpeechError) -> Result<Void, Failure> {
        defer { end() }
        var reader = SpeechReader(speech)
        var hasSounded = false
        while let parts = try reader.next() {
            if !hasSounded, parts.contains(where: \.isSound) {
                hasSounded = true
                count.sounds()
            }
            do {
                try take(parts)
            } catch {
                speech.cancel()
                return .failure(error)
            }
        }
        return .success(())
    }

    /// Plays or writes all of it on this thread, which blocks.
    package func deliver(to sink: any AudioSink) throws(SpeechError) -> SpeechSummary {
        defer { end() }
        return try speech.deliver(to: sink) { progress in if case .began = progress { count.sounds() } }
    }

    /// What was done otherwise than it was asked for; all of it once it has ended.
    package var notices: [SpeechNotice] { noted.all }

    /// Nothing more is given, and the engine stops. Returns at once.
    package func cancel() {
        count.cancel()
        speech.cancel()
    }

    private func end() {
        if hasEnded.exchange(true, ordering: .relaxed) { return }
        count.end(replacements: notices.count { $0.isReplacement })
        onEnd()
    }
}

extension Speech.Part {
    /// Whether it has at least one frame.
    package var isSound: Bool { if case .audio(let audio) = self { !audio.samples.isEmpty } else { false } }
}

extension SpeechNotice {
    fileprivate var isReplacement: Bool { if case .voiceReplaced = self { true } else { false } }
}

/// What was done otherwise in one speech of a service, with what follows from it for others. Any thread may use it.
final class ServiceNotices: Sendable {
    private let notices: Monitor<[SpeechNotice]>
    private let consequence: @Sendable (SpeechNotice) -> SpeechNotice?

    /// - Parameters:
    ///   - notices: what was done before it began.
    ///   - consequence: called for each that comes up later, on the thread that makes the sound.
    init(_ notices: [SpeechNotice], consequence: @escaping @Sendable (SpeechNotice) -> SpeechNotice?) {
        self.notices = Monitor(notices)
        self.consequence = consequence
    }

    var all: [SpeechNotice] { notices.read { $0 } }

    @Sendable func add(_ notice: SpeechNotice) {
        let news = [notice] + (consequence(notice).map { [$0] } ?? [])
        notices.update { $0 += news }
    }
}

/// What a client wants spoken.
package struct SpeechOrder: Sendable {
    package enum Text: Sendable {
        case plain(String)
        case script(String, SpeechForm)
        /// A script that was read.
        case read(SpokenScript)
        /// Text that comes in its own time.
        case live(LiveText)

        var isLive: Bool { if case .live = self { true } else { false } }
    }

    package var text: Text
    package var voice = VoiceWish()
    /// Factors of what the user configured; nil = as it is.
    package var rate: Double?
    package var pitch: Double?
    package var volume: Double?
    /// Whether it is spoken without voice; nil = as the user configured it.
    package var isWhispered: Bool?
    /// A factor of how far the pitch moves about its mean, from 0 to 2.
    package var intonation = 1.0
    /// Whether the voice's profile counts.
    package var usesProfile = true
    /// Whether another voice of the language speaks the rest if the engine fails.
    package var fallsBack = true
    package var priority = SpeechPriority.normal

    package init(_ text: Text) { self.text = text }
}

/// The voice that a client asks for. Nothing set = the one that the user chose.
package struct VoiceWish: Equatable, Sendable {
    /// As people call it, or its id.
    package var name: String?
    /// BCP-47.
    package var language: String?
    package var speaker: String?
    /// The id of an engine: only its voices count.
    package var engine: String?

    package init(
        name: String? = nil, language: String? = nil, speaker: String? = nil, engine: String? = nil
    ) {
        self.name = name
        self.language = language
        self.speaker = speaker
        self.engine = engine
    }
}
