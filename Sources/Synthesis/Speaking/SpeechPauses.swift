import Glibc
import SpeechScript

/// The silence after what was said, at least: what the engine leaves itself counts, so that every engine pauses alike. A pause that a
/// script asks for is as long as it says. Each is from 0 to 30 seconds; others mean the nearest of them.
public struct SpeechPauses: Hashable, Sendable {
    /// After a sentence, an item of a list, a row of a table.
    public var sentence: Duration = .milliseconds(250)
    /// After a paragraph.
    public var paragraph: Duration = .milliseconds(600)
    /// After a heading of Markdown or of a document.
    public var heading: Duration = .milliseconds(800)
    /// Before a chapter of a book that is one sound.
    public var chapter: Duration = .milliseconds(1500)

    /// The usual pauses.
    public init() {}

    /// What people read at: faster speech has shorter pauses, but not as much shorter, or sentences run into each other.
    private static let exponent = 0.6

    private static let longest = Duration.seconds(30)

    /// The same for speech of a rate.
    package func atRate(_ rate: Double) -> SpeechPauses {
        times(pow(rate, -Self.exponent))
    }

    /// Each so many times as long.
    package func times(_ factor: Double) -> SpeechPauses {
        var pauses = self
        for place in [\SpeechPauses.sentence, \.paragraph, \.heading, \.chapter] {
            pauses[keyPath: place] = min(max(self[keyPath: place], .zero), Self.longest) * factor
        }
        return pauses
    }

    func after(_ kind: PauseKind) -> Duration {
        switch kind {
        case .none, .silence: .zero
        case .sentence: sentence
        case .paragraph: paragraph
        case .heading: heading
        }
    }
}
