import SpeechScript
import SynthHost

/// What a message means, in scripts that are tried one after the other: as it is meant, and the bare words of it.
enum ModuleText {
    /// - Parameter language: of the voice that will speak.
    static func scripts(_ message: ModuleMessage, _ settings: ModuleSettings, in language: String) -> [SpokenScript] {
        switch message.kind {
        case .text: return scripts(of: message.text, SpokenSigns(settings, in: language))
        case .character: return [plain(character(message.text, settings, in: language))]
        case .key: return [plain(CharacterNames.of(language).word(forKey: message.text))]
        case .icon: return [plain(String(message.text.map { "-_".contains($0) ? " " : $0 }))]
        }
    }

    private static func scripts(of text: String, _ signs: SpokenSigns) -> [SpokenScript] {
        let document = Array(text.utf8)
        let bare = SpokenScript(document: document, parts: signs.said(MarkupRemains.parts(of: document)))
        guard let script = try? SpokenScript(document, as: .ssml), let parts = try? script.parts() else {
            return [bare]
        }
        return [script.stretch(signs.said(parts)), bare]
    }

    private static func character(_ text: String, _ settings: ModuleSettings, in language: String) -> String {
        if text == "space" { return CharacterNames.of(language).word(for: " ", tellsCapitals: false) }
        guard text.count == 1, let character = text.first else { return text }
        return CharacterNames.of(language).word(for: character, tellsCapitals: settings.capitals != .none)
    }

    private static func plain(_ text: String) -> SpokenScript {
        let parts = text.isEmpty ? [] : [ScriptPart.text(ScriptText(text, source: SourceMap(offset: 0)))]
        return SpokenScript(document: Array(text.utf8), parts: parts)
    }
}
