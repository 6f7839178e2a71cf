import Glibc
import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost help GUIDE`: prints a guide. For another word, lists the guides that contain it. `Program` prints the help for
/// commands, which is not stored in files.
struct HelpCommand: Command {
    private static let mostSections = 3

    let context: CommandContext

    func run() throws {
        guard let word = arguments.positionals.first else { return }
        guard let guide = Guide(rawValue: word) else { return try list(word) }
        let width = context.output.width
        try context.print(text: read(guide) { folder throws(Errno) in try guide.text(in: folder, width: width) })
    }

    /// Lists the guides that contain the word, those that use it most first, with their sections.
    private func list(_ word: String) throws {
        let found = try Guide.allCases.map { guide in
            let sections = try read(guide) { folder throws(Errno) in
                try guide.sections(containing: word, in: folder)
            }
            return (guide: guide, titles: sections.titles, count: sections.count)
        }.filter { $0.count > 0 }.sorted { $0.count > $1.count }
        guard let first = found.first else {
            throw CommandFailure(
                .usage, "No command or guide is called \"\(word)\", and no guide contains this word.",
                "`synthhost help` lists the commands and guides.")
        }
        context.printNote("No command or guide is called \"\(word)\". These guides contain the word:")
        for entry in found {
            let titles = entry.titles.prefix(Self.mostSections) + (entry.titles.count > Self.mostSections ? ["…"] : [])
            try context.print(text: "\(entry.guide.rawValue): \(titles.joined(separator: "; "))\n")
        }
        context.printNote("To read one, type: synthhost help \(first.guide.rawValue)")
    }

    private func read<Result>(_ guide: Guide, _ body: (String) throws(Errno) -> Result) throws -> Result {
        let folder = try context.installation().guides
        do throws(Errno) {
            guard let folder else { throw Errno(ENOENT) }
            return try body(folder)
        } catch {
            throw CommandFailure(
                .failure, "The guide \"\(guide.rawValue)\" cannot be read: \(error.description).",
                "Reinstall synthhost, which includes the guides.")
        }
    }
}

/// The output of `synthhost help --complete`: one line for each word that begins with the typed text. The word may be
/// followed by a tab and a description.
enum CompletionText {
    static func lines(of completion: Completion, in context: CommandContext) throws -> [String] {
        var seen: Set<String> = []
        return try completion.offers.flatMap { offer throws -> [String] in
            switch offer {
            case .files: return [":files"]
            case .folders: return [":folders"]
            case .words(let words):
                return words.filter { $0.word.hasPrefix(completion.typed) }
                    .map { $0.meaning.isEmpty ? $0.word : "\($0.word)\t\($0.meaning)" }
            case .names(let subject):
                try context.checkEnvironment()
                return try CompletionNames(context).names(of: subject).filter {
                    $0.hasPrefix(completion.typed) && $0.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
                }
            }
        }.filter { seen.insert($0).inserted }
    }
}

/// The names for shell completion. Because the shell is waiting, these functions download nothing, read scan results
/// from the cache, and start new engines only if their descriptions are needed.
struct CompletionNames {
    private let configuration: Configuration
    private let host: SpeechHost

    init(_ context: CommandContext) throws {
        configuration = try context.configuration()
        host = try context.host(configuration)
    }

    func names(of subject: CompletionSubject) -> [String] {
        switch subject {
        case .engines: host.snapshot().listings.compactMap(\.engine?.id)
        case .voices: visible(host.snapshot().ready.voices).map(\.title)
        case .known: visible(known(host.snapshot())).map(\.title)
        case .downloads: downloads
        case .stored: stored
        case .favorites: known(host.snapshot()).filter(marks.favorites.contains).map(\.title)
        case .hidden: known(host.snapshot()).filter(marks.hidden.contains).map(\.title)
        case .languages: known(host.snapshot(.known)).map(\.language).sorted()
        case .speakers(let voice): speakers(of: voice)
        case .values(let key): values(of: key)
        }
    }

    /// Returns the voices of known engines, whether downloaded or not. If no engine is known yet, returns all voices in the registry.
    private func known(_ inventory: HostSnapshot) -> [Voice] {
        guard let registry = try? inventory.registry() else { return inventory.ready.voices }
        if inventory.listings.allSatisfy({ $0.engine == nil }) { return registry.voices }
        return inventory.all(in: registry).voices
    }

    private var marks: VoiceMarks { VoiceMarks(configuration) }

    /// Returns the voices that are not hidden.
    private func visible(_ voices: [Voice]) -> [Voice] {
        let hidden = marks.hidden
        return voices.filter { !hidden.contains($0) }
    }

    private var downloads: [String] {
        let inventory = host.snapshot(.known)
        let here = Set(inventory.ready.voices.map(\.folder))
        return visible(known(inventory)).filter { $0.unsupported == nil && !here.contains($0.folder) }.map(\.title)
    }

    private var stored: [String] {
        let inventory = host.snapshot(.known)
        return (inventory.installed + ((try? VoiceLibrary(inventory))?.stored ?? [])).map(\.title)
    }

    private func speakers(of name: String) -> [String] {
        let inventory = host.snapshot()
        let query = inventory.completed(VoiceQuery(name: name.isEmpty ? nil : name))
        return (try? inventory.choose(query))?.voice.speakers ?? []
    }

    private func values(of key: String) -> [String] {
        switch key {
        case "engine": return names(of: .engines)
        case "language": return names(of: .languages)
        case "device": return ALSADevice.list().map(\.name)
        case VoiceList.favorites.rawValue, VoiceList.hidden.rawValue: return names(of: .known)
        case ConfigurationKey.fallback: return names(of: .known) + ["none"]
        case "autoDownload", "keepVoice", "whisper": return ["true", "false"]
        case "precision": return ["exact", "fast"]
        default:
            if key.hasPrefix("languages.") { return known(host.snapshot()).map(\.title) }
            guard key.hasPrefix("voices.") else { return [] }
            return known(host.snapshot()).filter { "voices.\($0.engine)" == key }.map(\.title)
        }
    }
}
