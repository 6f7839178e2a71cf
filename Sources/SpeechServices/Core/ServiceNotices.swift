import SynthHost
import System

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
