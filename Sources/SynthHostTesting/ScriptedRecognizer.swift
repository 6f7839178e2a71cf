import SynthAudio
import SynthSystem

/// A deterministic recognizer for tests. The test defines both the input and the results. The recognizer uses no
/// process, microphone, file or clock. Thread-safe.
///
/// Each time the recognizer listens or transcribes a file, it uses the next ``Take``. After the last take, it receives
/// silence.
///
/// ```swift
/// let recognizer = ScriptedRecognizer([.silence(.seconds(1)), .speech("forty-two", .seconds(1))])
/// let host = SpeechHost(testing: TestEngine(), hearing: recognizer)
/// ```
public final class ScriptedRecognizer: Sendable {
    /// A sequence of sounds.
    public typealias Take = [Sound]

    /// A part of a take.
    public struct Sound: Hashable, Sendable {
        enum Content: Hashable {
            case silence
            case noise
            case speech(String, confidence: Double?)
            case held
            case unplugged
            case crash
        }
        let content: Content
        var duration = Duration.zero
        var level = -20.0

        /// Silence.
        public static func silence(_ duration: Duration) -> Sound { Sound(content: .silence, duration: duration) }

        /// Speech with the given text. The duration is divided evenly among the words. Each word is added to the
        /// partial text when it ends.
        ///
        /// - Parameters:
        ///   - text: the recognized text.
        ///   - level: the level in dBFS.
        ///   - confidence: the confidence of the text and its words, from 0 to 1, or nil if the recognizer does not report it.
        public static func speech(
            _ text: String, _ duration: Duration, level: Double = -20, confidence: Double? = nil
        ) -> Sound {
            Sound(content: .speech(text, confidence: confidence), duration: duration, level: level)
        }

        /// Steady noise that is not detected as speech.
        ///
        /// - Parameter level: the level in dBFS. A quiet room is at about -60.
        public static func noise(_ duration: Duration, level: Double = -60) -> Sound {
            Sound(content: .noise, duration: duration, level: level)
        }

        /// Blocks the microphone until `release` is called, so that a test can observe a program while it is listening.
        public static let held = Sound(content: .held)

        /// Disconnects the microphone.
        public static let unplugged = Sound(content: .unplugged)

        /// Crashes the recognizer.
        public static let crash = Sound(content: .crash)
    }

    private struct State {
        var takes: [Take]
        var releases = 0
        var isOpen = false
        var openings = 0
        var heard = 0
    }
    private let state: Monitor<State>
    static let rate: UInt32 = 16_000
    static let id = "scripted"

    /// Creates a recognizer with one take, followed by silence.
    public convenience init(_ take: Take) { self.init(takes: [take]) }

    /// Creates a recognizer that uses one take each time it listens or transcribes a file.
    public init(takes: [Take] = []) { state = Monitor(State(takes: takes)) }

    /// Appends a take.
    public func hear(_ take: Take) { state.update { $0.takes.append(take) } }

    /// Unblocks a microphone that is waiting at ``Sound/held``. If this method is called before the microphone reaches
    /// that sound, the microphone does not block.
    public func release() { state.update { $0.releases += 1 } }

    /// Whether the microphone is open.
    public var isMicrophoneOpen: Bool { state.read { $0.isOpen } }

    /// The number of times that the microphone has been opened.
    public var openings: Int { state.read { $0.openings } }

    /// The total duration of the audio that has been read from microphones.
    public var heard: Duration { .seconds(Double(state.read { $0.heard }) / Double(Self.rate)) }

    /// Suspends until the microphone has been opened `times` times in total or the task is cancelled.
    public func waitUntilOpen(times: Int = 1) async { await state.suspend { $0.openings >= times } }

    /// Suspends until the microphone has been closed `times` times in total or the task is cancelled.
    public func waitUntilClosed(times: Int = 1) async {
        await state.suspend { $0.openings - ($0.isOpen ? 1 : 0) >= times }
    }

    // MARK: - Used by the microphone

    func nextTake() -> Take { state.update { $0.takes.isEmpty ? [] : $0.takes.removeFirst() } }

    var upcomingTake: Take { state.read { $0.takes.first ?? [] } }

    func opens() {
        state.update { state in
            state.isOpen = true
            state.openings += 1
        }
    }

    func closes() { state.update { $0.isOpen = false } }

    func hears(_ frames: Int) { state.update { $0.heard += frames } }

    /// Blocks until `release` is called or listening has ended.
    func waitForRelease(unless isStopped: @escaping () -> Bool) {
        _ = state.wait { state -> Bool? in
            if isStopped() { return true }
            guard state.releases > 0 else { return nil }
            state.releases -= 1
            return true
        }
    }

    /// Wakes waiting threads, so that they check their conditions again.
    func wake() { state.update { _ in } }
}
