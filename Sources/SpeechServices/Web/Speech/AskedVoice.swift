import SynthHost
import VoiceCatalogue

/// Finds the voice that a call asks for, by the names that people and other services use.
struct AskedVoice {
    private let service: SpeechService

    /// Those of OpenAI's voices. Programs ask for them because a call must have some voice.
    private static let openAI: Set<String> = [
        "alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova", "onyx", "sage", "shimmer",
        "verse",
    ]

    init(_ service: SpeechService) { self.service = service }

    /// What is asked for, and the voice that it means; it may have to be downloaded. Blocks.
    func voice(of call: SpeechCall) throws(SpeechFailure) -> (VoiceWish, SpeechVoice) {
        let engine = call.model.flatMap { service.engines.contains($0) ? $0 : nil }
        var wish = VoiceWish(name: call.voice.map(Self.blend), language: call.language, engine: engine)
        if let name = call.voice, Self.openAI.contains(name) {
            if let chosen = service.voice(forOpenAI: name) {
                wish.name = chosen
            } else if let voice = try? service.voice(wish), voice.state == .ready {
                // A voice that is here may have the same name.
                return (wish, voice)
            } else {
                wish.name = nil
            }
        }
        return (wish, try named(wish))
    }

    /// Programs show the names of the list, and ask by them: a name that is exactly a voice's is no other's.
    private func named(_ wish: VoiceWish) throws(SpeechFailure) -> SpeechVoice {
        do throws(SpeechFailure) {
            return try service.voice(wish)
        } catch {
            guard case .voice(.ambiguousVoice) = error,
                let voice = try? service.readyVoices().first(where: { $0.title == wish.name })
            else { throw error }
            return voice
        }
    }

    /// A blend as Kokoro-FastAPI writes it, "af_bella(2)+af_sky(1)", as it is written here: "af_bella*2+af_sky*1".
    static func blend(_ name: String) -> String {
        guard name.contains("+") else { return name }
        let terms = name.split(separator: "+", omittingEmptySubsequences: false).map { term in
            guard term.last == ")", let open = term.lastIndex(of: "("),
                Double(term[term.index(after: open)...].dropLast()) != nil
            else { return String(term) }
            return "\(term[..<open])*\(term[term.index(after: open)...].dropLast())"
        }
        return terms.joined(separator: "+")
    }
}
