package import SynthHost
import Synchronization

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
    ) throws(SpeechFailure) -> Result<Void, Failure> {
        defer { end() }
        var reader = SpeechReader(speech)
        var hasSounded = false
        while let parts = try reader.next() {
            if !hasSounded, parts.contains(where: \.isSound) {
                hasSounded = true
                count.sounds()
            }
            do throws(Failure) {
                try take(parts)
            } catch {
                speech.cancel()
                return .failure(error)
            }
        }
        return .success(())
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
    fileprivate var isSound: Bool { if case .audio = self { true } else { false } }
}

extension SpeechNotice {
    fileprivate var isReplacement: Bool { if case .voiceReplaced = self { true } else { false } }
}
