import LocatedJSON
import SynthHost

/// What an event asks to be spoken. `rate`, `pitch`, `volume`, `text_format` and `words` are fields of our own, which other
/// servers pass over.
struct WyomingRequest: Sendable {
    private let event: WyomingEvent

    private static let factors = 0.25...4.0
    private static let volumes = 0.0...8.0

    init(_ event: WyomingEvent) { self.event = event }

    /// How the text says more than its words; nil = it is plain.
    var form: SpeechForm? {
        switch event.text("text_format") {
        case "ssml": .ssml
        case "markdown": .markdown
        default: nil
        }
    }

    /// Whether words are told beside the sound.
    var tellsWords: Bool { event["words"] == .boolean(true) }

    /// The text of the event.
    var order: SpeechOrder {
        let text = event.text("text") ?? ""
        return order(form.map { .script(text, $0) } ?? .plain(text))
    }

    /// Another text, as the event asks for it. Numbers out of range are passed over.
    func order(_ text: SpeechOrder.Text) -> SpeechOrder {
        var order = SpeechOrder(text)
        if case .object(let members)? = event["voice"] {
            let voice = WyomingEvent(type: "", data: members)
            order.voice = VoiceWish(
                name: voice.text("name"), language: voice.text("language"), speaker: voice.text("speaker"))
        }
        order.rate = number("rate", Self.factors)
        order.pitch = number("pitch", Self.factors)
        order.volume = number("volume", Self.volumes)
        return order
    }

    private func number(_ name: String, _ range: ClosedRange<Double>) -> Double? {
        event.number(name).flatMap { range.contains($0) ? $0 : nil }
    }
}
