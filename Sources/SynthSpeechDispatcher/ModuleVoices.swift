import SynthCatalogue
import SynthHost
import SynthService

/// Selects the voices for a message. Thread-safe; all methods block.
final class ModuleVoices: Sendable {
    private let service: SpeechService
    private let options: ModuleOptions
    private let onNote: @Sendable (ModuleNote) -> Void

    init(
        _ service: SpeechService, _ options: ModuleOptions, _ onNote: @escaping @Sendable (ModuleNote) -> Void
    ) {
        self.service = service
        self.options = options
        self.onNote = onNote
    }

    /// Returns the voices that can speak now.
    func list() throws(SpeechError) -> [ListedVoice] { ListedVoice.all(try service.voices(.ready)) }

    /// Returns the selected voice and a fallback voice, in the order to try them. If the selected voice has not been loaded yet, a
    /// voice that does not need to be loaded comes first.
    ///
    /// - Throws: an error if there is no voice.
    func speakers(_ settings: ModuleSettings) throws(SpeechError) -> [SpeechVoice] {
        let wanted = try wanted(settings)
        let language = settings.voice == nil ? settings.language ?? wanted.language : wanted.language
        guard let spare = try? service.voices(.builtIn(language: language)).first, spare.choice != wanted.choice
        else { return [wanted] }
        // A fallback voice from the same engine would not be ready any sooner.
        if options.firstWords == .other, wanted.engine != spare.engine, !service.isWarm(wanted) {
            service.warmUp(wanted) { [onNote] in onNote(.notLoaded($0)) }
            return [spare, wanted]
        }
        return [wanted, spare]
    }

    private func wanted(_ settings: ModuleSettings) throws(SpeechError) -> SpeechVoice {
        if let name = settings.voice, let voice = named(name) { return voice }
        if settings.voiceType != .male1, let voice = typed(settings) { return voice }
        let language = settings.language.map(ListedVoice.mainLanguage)
        if let name = options.voice, let voice = ready(VoiceQuery(name: name)),
            language == nil || language == ListedVoice.mainLanguage(voice.language)
        {
            return voice
        }
        if let language = settings.language, let voice = ready(VoiceQuery(language: language)) { return voice }
        if let language, let voice = ready(VoiceQuery(language: language)) { return voice }
        let own: SpeechVoice
        do {
            own = try service.voice(VoiceQuery())
            if own.state == .ready { return own }
        } catch {
            if let any = (try? list())?.first { return any.voice }
            throw error
        }
        return (try? list())?.first { $0.speaks(ListedVoice.mainLanguage(own.language)) }?.voice ?? own
    }

    /// Returns the listed voice with this name or type, or any ready voice that matches the name.
    private func named(_ name: String) -> SpeechVoice? {
        let listed = (try? list()) ?? []
        if let voice = listed.first(where: { $0.name.lowercased() == name.lowercased() }) { return voice.voice }
        if let type = ModuleVoiceType(rawValue: name.lowercased()), let voice = listed.first(where: { $0.type == type })
        {
            return voice.voice
        }
        return ready(VoiceQuery(name: name)) ?? ready(VoiceQuery(name: name.replacing("_", with: " ")))
    }

    /// Returns the voice of the requested type in the requested language. If the language has too few voices of that
    /// gender, returns the last of them.
    private func typed(_ settings: ModuleSettings) -> SpeechVoice? {
        let own = try? service.voice(VoiceQuery(language: settings.language))
        let language = ListedVoice.mainLanguage(settings.language ?? own?.language ?? "en")
        var voices = ((try? list()) ?? []).filter {
            $0.voice.gender == settings.voiceType.gender && $0.speaks(language)
        }
        // Move the default voice to the front, so that it gets the first type of its gender.
        if let own, let index = voices.firstIndex(where: { $0.voice.choice == own.choice }) {
            voices.insert(voices.remove(at: index), at: 0)
        }
        return voices.isEmpty ? nil : voices[min(settings.voiceType.place, voices.count - 1)].voice
    }

    /// Returns the voice that matches the query if the voice can speak now, otherwise nil.
    private func ready(_ query: VoiceQuery) -> SpeechVoice? {
        guard let voice = try? service.voice(query), voice.state == .ready else { return nil }
        return voice
    }
}

/// A voice, as listed for the server.
struct ListedVoice: Sendable {
    /// A unique name without spaces.
    let name: String
    let language: String
    /// The type, such as "female1", or nil if there is none.
    let type: ModuleVoiceType?
    let voice: SpeechVoice

    /// Gives each voice a unique name, and assigns types to the first voices of each gender in each language.
    static func all(_ voices: [SpeechVoice]) -> [ListedVoice] {
        var names: Set<String> = []
        var places: [String: Int] = [:]
        return voices.map { voice in
            var name = ModuleWord.name(voice.title)
            if names.contains(name.lowercased()) { name = ModuleWord.name("\(voice.title)_\(voice.engine)") }
            var number = 2
            while names.contains(name.lowercased()) {
                name = ModuleWord.name("\(voice.title)_\(voice.engine)_\(number)")
                number += 1
            }
            names.insert(name.lowercased())
            let place = "\(voice.language.lowercased()) \(voice.gender ?? "")"
            defer { places[place, default: 0] += 1 }
            return ListedVoice(
                name: name, language: ModuleWord.name(voice.language),
                type: ModuleVoiceType(gender: voice.gender, place: places[place, default: 0]), voice: voice)
        }
    }

    static func mainLanguage(_ tag: String) -> String { tag.prefix { $0 != "-" && $0 != "_" }.lowercased() }

    /// Whether the voice speaks a language or a variant of it.
    func speaks(_ tag: String) -> Bool {
        language.lowercased() == tag.lowercased() || Self.mainLanguage(language) == tag.lowercased()
    }

    /// The line in the server's voice list.
    var line: String { "\(name)\t\(language)\t\(type?.rawValue ?? "none")" }
}
