import Synchronization
package import SynthAudio
package import SynthCatalogue
package import SynthHost
import SynthSystem

/// A client's speech request in progress. Not thread-safe, except for `cancel`, which any thread may call.
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

    /// Calls `take` with each part as it arrives. Runs on the calling thread and blocks until the speech ends or is
    /// cancelled.
    ///
    /// - Parameter take: receives the parts. The speech ends if this closure throws.
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

    /// Plays or writes all audio. Runs on the calling thread and blocks.
    package func deliver(to sink: any AudioSink) throws(SpeechError) -> SpeechSummary {
        defer { end() }
        return try speech.deliver(to: sink) { progress in if case .began = progress { count.sounds() } }
    }

    /// Deviations from the request. The list is complete once the speech has ended.
    package var notices: [SpeechNotice] { noted.all }

    /// Cancels the speech and stops the engine. Does not block.
    package func cancel() {
        count.cancel()
        speech.cancel()
    }

    private func end() {
        if hasEnded.exchange(true, ordering: .relaxed) { return }
        count.end(replacements: notices.count { if case .voiceReplaced = $0 { true } else { false } })
        onEnd()
    }
}

extension Speech.Part {
    /// Whether the part contains at least one frame.
    package var isSound: Bool { if case .audio(let audio) = self { !audio.samples.isEmpty } else { false } }
}

/// The notices about a request and their effects on other requests. Thread-safe.
final class ServiceNotices: Sendable {
    private let notices: Monitor<[SpeechNotice]>
    private let consequence: @Sendable (SpeechNotice) -> SpeechNotice?

    /// - Parameters:
    ///   - notices: the notices from before synthesis started.
    ///   - consequence: called on the synthesis thread for each later notice. It may return a further notice.
    init(_ notices: [SpeechNotice], consequence: @escaping @Sendable (SpeechNotice) -> SpeechNotice?) {
        self.notices = Monitor(notices)
        self.consequence = consequence
    }

    var all: [SpeechNotice] { notices.read { $0 } }

    @Sendable func add(_ notice: SpeechNotice) {
        let newNotices = [notice] + (consequence(notice).map { [$0] } ?? [])
        notices.update { $0 += newNotices }
    }
}

/// The text and settings of a client's speech request.
package struct SpeechJob: Sendable {
    /// The text to speak.
    package enum Text: Sendable {
        case plain(String)
        case script(String, SpeechForm)
        /// A parsed script.
        case read(SpokenScript)
        case live(TextFeed)

        var isLive: Bool { if case .live = self { true } else { false } }
    }

    package var text: Text
    /// The requested voice. If no property is set, the default voice is used.
    package var voice = VoiceQuery()
    /// Factors by which the user's rate, pitch and volume are multiplied. A factor of nil leaves the setting unchanged.
    package var rate: Double?
    package var pitch: Double?
    package var volume: Double?
    /// Whether to whisper, or nil to use the user's setting.
    package var isWhispered: Bool?
    /// The factor for the pitch range around the mean, from 0 to 2.
    package var intonation = 1.0
    /// Whether to apply the voice's profile.
    package var usesProfile = true
    /// Whether a fallback voice for the same language takes over if the engine fails.
    package var fallsBack = true
    package var priority = SpeechPriority.normal

    package init(_ text: Text) { self.text = text }

    /// Applies the request to the user's settings.
    func adjust(_ settings: inout SpeechSettings) {
        /// Clamps a factor to the range of the command-line options.
        func clamped(_ factor: Double) -> Double { min(max(factor, 0.25), 4) }
        settings.rate = clamped(settings.rate * (rate ?? 1))
        settings.pitch = clamped(settings.pitch * (pitch ?? 1))
        settings.intonation = intonation
        settings.isWhispered = isWhispered ?? settings.isWhispered
        settings.volume = Gain(factor: settings.volume.factor * Float(volume ?? 1))
        settings.priority = priority
        settings.fallsBack = fallsBack
    }
}
