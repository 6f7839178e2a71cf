import SynthAudio
import SynthSystem

/// A recognizer for tests: it hears and understands what the test says. Deterministic, without a process, a microphone or a file;
/// nothing depends on a clock. Any thread may use it.
///
/// Each listening, and each file that is understood, hears one ``Take`` after the other; what follows the last is silence.
///
/// ```swift
/// let recognizer = ScriptedRecognizer([.silence(.seconds(1)), .speech("forty-two", .seconds(1))])
/// let host = SpeechHost(testing: TestEngine(), hearing: recognizer)
/// ```
public final class ScriptedRecognizer: Sendable {
    /// What is heard at once.
    public typealias Take = [Sound]

    /// A stretch of sound.
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
        /// Decibels below full scale.
        var level = -20.0

        /// Nothing is heard.
        public static func silence(_ duration: Duration) -> Sound { Sound(content: .silence, duration: duration) }

        /// Somebody says a text. Its words share the time evenly; each becomes a partial text when it was said.
        ///
        /// - Parameters:
        ///   - text: what is understood of it.
        ///   - level: how loud it is, in decibels: 0 is as loud as there can be.
        ///   - confidence: of the text and of its words, from 0 to 1; nil = the recognizer does not say.
        public static func speech(
            _ text: String, _ duration: Duration, level: Double = -20, confidence: Double? = nil
        ) -> Sound {
            Sound(content: .speech(text, confidence: confidence), duration: duration, level: level)
        }

        /// Something is heard that is no speech, and too even for it.
        ///
        /// - Parameter level: how loud it is, in decibels; -60 is a quiet room.
        public static func noise(_ duration: Duration, level: Double = -60) -> Sound {
            Sound(content: .noise, duration: duration, level: level)
        }

        /// The microphone gives nothing more until `release`, so that a test sees a program that listens.
        public static let held = Sound(content: .held)

        /// The microphone is unplugged.
        public static let unplugged = Sound(content: .unplugged)

        /// The recognizer crashes when it comes here.
        public static let crash = Sound(content: .crash)
    }

    private struct State {
        var takes: [Take]
        var releases = 0
        var isOpen = false
        var openings = 0
        /// Frames that were heard.
        var heard = 0
    }
    private let state: Monitor<State>
    static let rate: UInt32 = 16_000
    static let id = "scripted"

    /// A recognizer that hears a take, and then silence.
    public convenience init(_ take: Take) { self.init(takes: [take]) }

    /// A recognizer that hears a take each time that it is asked to listen, or to understand a file.
    public init(takes: [Take] = []) { state = Monitor(State(takes: takes)) }

    /// What is heard next, after the takes that were not heard yet.
    public func hear(_ take: Take) { state.update { $0.takes.append(take) } }

    /// Lets the microphone go on that is ``Sound/held``; called before, it is not held.
    public func release() { state.update { $0.releases += 1 } }

    /// Whether the microphone is open now.
    public var isMicrophoneOpen: Bool { state.read { $0.isOpen } }

    /// How often the microphone was opened.
    public var openings: Int { state.read { $0.openings } }

    /// How much a microphone has heard, of all takes together.
    public var heard: Duration { .seconds(Double(state.read { $0.heard }) / Double(Self.rate)) }

    /// Suspends until the microphone was opened so many times, or the task is cancelled.
    public func waitUntilOpen(times: Int = 1) async { await state.suspend { $0.openings >= times } }

    /// Suspends until the microphone was closed so many times, or the task is cancelled.
    public func waitUntilClosed(times: Int = 1) async {
        await state.suspend { $0.openings - ($0.isOpen ? 1 : 0) >= times }
    }

    // MARK: - For its microphone

    func nextTake() -> Take { state.update { $0.takes.isEmpty ? [] : $0.takes.removeFirst() } }

    /// The take that is heard next.
    var comingTake: Take { state.read { $0.takes.first ?? [] } }

    func opens() {
        state.update { state in
            state.isOpen = true
            state.openings += 1
        }
    }

    func closes() { state.update { $0.isOpen = false } }

    func hears(_ frames: Int) { state.update { $0.heard += frames } }

    /// Blocks until it is released, or nobody wants that any more.
    func waitForRelease(unless isStopped: @escaping () -> Bool) {
        _ = state.wait { state -> Bool? in
            if isStopped() { return true }
            guard state.releases > 0 else { return nil }
            state.releases -= 1
            return true
        }
    }

    /// Has whoever waits look again.
    func wake() { state.update { _ in } }
}
