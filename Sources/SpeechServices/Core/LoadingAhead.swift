import SynthHost
import System

/// The voices that are loaded ahead of their speech, each once at a time. Any thread may use it.
final class LoadingAhead: Sendable {
    private enum Place {
        case loading
        /// It could not be loaded, and is not tried again until then.
        case failed(until: ContinuousClock.Instant)

        var isLoading: Bool { if case .loading = self { true } else { false } }
    }
    private let pause: Duration
    private let places = Monitor<[String: Place]>([:])

    /// - Parameter pause: how long a voice that could not be loaded is not tried again.
    init(pause: Duration) { self.pause = pause }

    /// False if the voice is being loaded, or could not be loaded a short while ago. Else `end` follows.
    func begin(_ voice: SpeechVoice, at now: ContinuousClock.Instant = .now) -> Bool {
        places.update { places in
            switch places[Self.key(of: voice)] {
            case .loading?: return false
            case .failed(let end)? where end > now: return false
            default:
                places[Self.key(of: voice)] = .loading
                return true
            }
        }
    }

    func end(_ voice: SpeechVoice, hasFailed: Bool, at now: ContinuousClock.Instant = .now) {
        places.update { $0[Self.key(of: voice)] = hasFailed ? .failed(until: now + pause) : nil }
    }

    /// Blocks until none is being loaded.
    func waitForEnd() { _ = places.wait { $0.values.contains(where: \.isLoading) ? nil : true } }

    private static func key(of voice: SpeechVoice) -> String { "\(voice.engine)/\(voice.id)/\(voice.title)" }
}
