import ModelStore
import SynthHost
import System
import VoiceCatalogue

/// The voices as commands see them: which exist, their conditions, which one a name means, and which is chosen.
struct VoiceLibrary {
    let configuration: Configuration
    let host: LocalHost
    let store: ModelStore
    let inventory: Inventory
    let registry: Registry
    /// The voices of the installed engines.
    let directory: VoiceDirectory
    /// What the user says of voices.
    let marks: VoiceMarks
    let devices: SoundDevices
    private let localeLanguage: String?

    init(_ context: CommandContext, _ arguments: ParsedArguments) throws(CommandFailure) {
        let configuration = try context.configuration(arguments)
        let host = try context.host(arguments, configuration)
        try self.init(context, configuration, host.inventory())
    }

    init(
        _ context: CommandContext, _ configuration: Configuration, _ inventory: Inventory
    ) throws(CommandFailure) {
        self.configuration = configuration
        marks = VoiceMarks(configuration)
        self.inventory = inventory
        host = inventory.host
        devices = context.devices
        store = host.store
        do throws(RegistryError) {
            registry = try inventory.registry()
        } catch {
            throw CommandFailure(error)
        }
        directory = inventory.all(in: registry)
        localeLanguage = host.language
    }

    /// The voice that `speak` would use by default.
    var chosen: Voice? { inventory.chosen }

    /// Whether the voice could speak now, with exactly the model that it names.
    func isComplete(_ voice: Voice) -> Bool {
        condition(of: voice) == .builtIn || condition(of: voice) == .ready && store.isInstalled(voice)
    }

    /// The voice with its model in another precision.
    func voice(_ voice: Voice, precision: String) throws(CommandFailure) -> Voice {
        if let model = registry.model(of: voice, precision: precision) { return voice.using(model) }
        let known = registry.precisions(of: voice).compactMap { model in
            model.precision.map { "\($0) (\(ByteCount.words(voice.using(model).downloadSize)))" }
        }
        throw CommandFailure(
            .usage,
            known.isEmpty
                ? "\(voice.title) comes in one precision only." : "\(voice.title) does not come in \(precision).",
            known.isEmpty ? "Leave --precision out." : "It comes in \(known.joined(separator: ", ")).")
    }

    /// The voices that are offered to new users, the best first.
    var offers: [Voice] { directory.offers(for: localeLanguage) }

    /// A few of the offers, each in one quality only.
    var fewOffers: [Voice] { Self.few(offers) }

    private static func few(_ offers: [Voice]) -> [Voice] {
        var titles: Set<String> = []
        return Array(offers.filter { titles.insert("\($0.engine) \($0.title)").inserted }.prefix(6))
    }

    /// The voices of a short list: the installed ones, and a few others that are offered first for a language.
    ///
    /// - Parameters:
    ///   - voices: of the directory.
    ///   - language: BCP-47; nil = the user's.
    func shown(of voices: [Voice], for language: String?) -> [Voice] {
        let part = VoiceDirectory(engines: directory.engines, voices: voices, hidden: directory.hidden)
        let here = inventory.shown(of: part).voices
        var seen: Set<String> = []
        return
            (here.filter { condition(of: $0) == .ready } + Self.few(part.offers(for: language ?? localeLanguage)) + here)
            .filter { seen.insert($0.folder).inserted }
    }

    /// What to offer instead of this voice: the next best ones, then those that are installed or meant for new users.
    func alternatives(to voice: Voice) -> [Voice] {
        let shown = visible(inventory.shown(of: directory).voices).filter { condition(of: $0) != .builtIn }
        var seen: Set<String> = [voice.folder]
        return (fewOffers + shown).filter { seen.insert($0.folder).inserted }
    }

    /// Every voice with files in the store, complete or not, whether its engine is installed or not.
    var stored: [Voice] { inventory.stored(in: registry) }

    /// Every known voice, each once, whether it and its engine are here or not.
    var everyVoice: [Voice] {
        var seen: Set<String> = []
        return (directory.voices + stored + registry.voices).filter { seen.insert($0.key).inserted }
    }

    /// The voice that a name means: the one that `speak` would take, else one of all that are known, whether it and its
    /// engine are here or not.
    ///
    /// - Parameter suggestsHidden: whether hidden voices are suggested for an unknown name.
    func known(_ name: String, suggestsHidden: Bool = false) throws(CommandFailure) -> Voice {
        if let choice = try? choice(name) {
            if choice.speaker == nil, !choice.isBlend { return choice.voice }
            throw notOne(choice, name)
        }
        do throws(VoiceError) {
            return try VoiceDirectory.find(
                name, among: everyVoice, hidden: suggestsHidden ? VoiceNames() : marks.hidden)
        } catch {
            throw CommandFailure(error)
        }
    }

    private func notOne(_ choice: VoiceChoice, _ name: String) -> CommandFailure {
        let words = choice.shares.map { ShellWord.quoted(word(for: $0.voice)) }
        return CommandFailure(
            .usage,
            choice.isBlend
                ? "\"\(name)\" is a blend, and one voice is meant here."
                : "\"\(name)\" is one speaker of a voice, and the whole voice is meant here.",
            "Type in its place: \(Wording.either(words))")
    }

    /// The voices that are not hidden.
    func visible(_ voices: [Voice]) -> [Voice] { voices.filter { !marks.hidden.contains($0) } }

    func condition(of voice: Voice) -> VoiceCondition { inventory.condition(of: voice) }

    /// What to type for the voice now: every hint says this.
    func word(for voice: Voice) -> String { inventory.word(for: voice, among: directory) }

    /// What the configuration calls the voice: it means no other, whatever is downloaded later.
    func lastingWord(for voice: Voice) -> String { directory.word(for: voice) }

    /// The voice that a name means, installed or not, of an installed engine.
    func voice(_ name: String, engine: String? = nil) throws(CommandFailure) -> Voice {
        try choice(name, engine: engine).voice
    }

    /// The voice and speaker, or the blend, that a name means.
    func choice(_ name: String, engine: String? = nil) throws(CommandFailure) -> VoiceChoice {
        do throws(SpeechFailure) {
            return try inventory.choose(
                VoiceQuery(name: name, engine: engine, preferredEngine: configuration.engine))
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The voices in the store that the names mean, each once.
    ///
    /// - Parameter takesBest: whether the best is meant if voices differ in quality only.
    func stored(_ names: [String], takesBest: Bool = true) throws(CommandFailure) -> [Voice] {
        let stored = stored
        var found: [Voice] = []
        for name in names {
            do throws(VoiceError) {
                let voice = try VoiceDirectory.find(
                    name, among: stored, takesBest: takesBest, hidden: marks.hidden)
                if !found.contains(where: { $0.folder == voice.folder }) { found.append(voice) }
            } catch {
                guard case .unknownVoice = error, let known = try? VoiceDirectory.find(name, among: directory.voices)
                else { throw CommandFailure(error) }
                throw CommandFailure(
                    .unavailable,
                    condition(of: known) == .builtIn
                        ? "\(known.title) is built into \(known.engine) and has no files."
                        : "\(known.title) is not downloaded.", "`synthhost models list` shows what is.")
            }
        }
        return found
    }
}
