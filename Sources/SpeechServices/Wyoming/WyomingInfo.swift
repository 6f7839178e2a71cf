import LocatedJSON
import SynthHost

/// What a server says of itself: one program with all voices, because clients take the first program only.
struct WyomingInfo {
    let voices: [SpeechVoice]
    let version: String

    var event: WyomingEvent {
        let program: [JSONNode.Member] =
            about("synthhost", "Speech of all engines", installed: true) + [
                .init("version", version), .init("supports_synthesize_streaming", true),
                .init("voices", .array(voices.map { JSONNode(.object(voice($0))) })),
            ]
        let empty = ["asr", "handle", "intent", "wake", "mic", "snd"].map { JSONNode.Member($0, .array([])) }
        return WyomingEvent(type: "info", data: [.init("tts", .array([JSONNode(.object(program))]))] + empty)
    }

    private func voice(_ voice: SpeechVoice) -> [JSONNode.Member] {
        var members = about(voice.id, "\(voice.title) · \(voice.engine)", installed: voice.state == .ready)
        members.append(.init("version", .null))
        members.append(.init("languages", .array([JSONNode(.string(voice.language))])))
        if !voice.speakers.isEmpty {
            let speakers = voice.speakers.map { JSONNode(.object([.init("name", $0)])) }
            members.append(.init("speakers", .array(speakers)))
        }
        return members
    }

    private func about(_ name: String, _ description: String, installed: Bool) -> [JSONNode.Member] {
        [
            .init("name", name),
            .init("attribution", .object([.init("name", "synthhost"), .init("url", "")])),
            .init("installed", installed), .init("description", description),
        ]
    }
}
