import Glibc
import SynthAudio
import SynthBooks
import SynthCatalogue
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost batch`: creates audio files from a list of texts.
struct BatchCommand: Command {
    let context: CommandContext

    /// The maximum size of a list in bytes.
    private static let largest = 1 << 28

    func run() throws {
        guard let output = arguments[Options.batchOutput] else {
            throw CommandFailure(
                .usage, "No output folder was specified.", "Pass a folder with -o, as in: -o Prompts")
        }
        let cancellation = context.cancellation(leavesAtOnce: true)
        let items = try items()
        let target = try target(output)
        let configuration = try context.configuration()
        let host = try context.host(configuration)
        let inventory = host.snapshot()
        let report = BatchReport(context)
        defer { report.display.reporter.end() }
        let settings = try SpokenSettings(
            arguments, configuration, inventory, fallsBack: false, onNotice: report.display.notices.take)
        func voices(
            _ find: (RequestedVoice) throws -> VoiceChoice
        ) throws -> [BatchItem.Voice: VoiceChoice] {
            var voices: [BatchItem.Voice: VoiceChoice] = [:]
            for item in items where voices[item.voice] == nil {
                do { voices[item.voice] = try find(asked(item.voice, inventory, configuration)) } catch {
                    let failure = CommandFailure(error)
                    throw CommandFailure(
                        failure.code, failure.message.map { "Line \(item.line) of the list: \($0)" }, failure.remedy)
                }
            }
            return voices
        }
        // Report invalid lines before downloading anything.
        let chosen = try voices { asked in try asked.choose() }
        for item in items where item.factors[.variation] != nil {
            if let choice = chosen[item.voice] { try check(item, choice, inventory) }
        }
        let voices = try voices { asked in try asked.find(cancellation, nil).choice }
        defer { host.abandonEngines() }
        context.leave(host, at: cancellation, report.display.reporter)
        // From here on, stopping the command keeps the finished files.
        cancellation.set {}
        let maker = try BatchMaker(items, named: name, target, sparing: context.inUse) { cancellation.isRequested }
        report.begin(maker.own.count)
        var lexicon: String?
        let (hasVoice, language) = (arguments[Options.voice] != nil, arguments[Options.language])
        // Keep only one voice loaded at a time, because a voice may need a lot of memory.
        for group in BatchItem.groups(maker.own) {
            guard let first = group.first, let choice = voices[first.voice], !cancellation.isRequested else { break }
            let session = try asked(first.voice, inventory, configuration).session(
                choice, needsPhonemes: false, onLog: report.display.log)
            let cast = session.cast()
            let speak: BatchMaker.Speak = { (item, sink) throws(SpeechError) in
                let speech = session.speak(try CompleteText(item.text), cast: cast) { [settings, hasVoice, language] in
                    let isMain = $0 === session
                    return item.applied(
                        to: settings.settings(of: $0.voice, isMain: isMain), isMain: isMain, hasVoice, language)
                }.noting(by: report.display.notices.take)
                return try cancellation.during({ speech.cancel() }) { () throws(SpeechError) in
                    try speech.deliver(to: sink, timings: nil) { _ in }
                }
            }
            let sum = lexicon ?? BookVoice.sum(of: settings.settings(of: session.voice).lexicon)
            lexicon = sum
            try maker.make(
                group,
                voice: { item in
                    let own = settings.settings(of: session.voice)
                    return BookVoice(
                        session, item.applied(to: own, isMain: true, hasVoice, language), lexicon: sum)
                }, arguments[Options.join] ? nil : speak, report.made)
        }
        let manifest = cancellation.isRequested ? nil : try maker.writeManifest()
        report.display.reporter.end()
        try report.conclude(target, manifest: manifest, wasCancelled: cancellation.isRequested)
    }

    private func asked(_ voice: BatchItem.Voice, _ inventory: HostSnapshot, _ configuration: Configuration)
        -> RequestedVoice
    {
        var query = RequestedVoice.query(arguments)
        // The speaker and engine options apply only to the voice that the voice option selects.
        if let name = voice.name { (query.name, query.speaker, query.engine) = (name, nil, nil) }
        query.speaker = voice.speaker ?? query.speaker
        query.language = voice.language ?? query.language
        query.engine = voice.engine ?? query.engine
        return RequestedVoice(context: context, inventory: inventory, configuration: configuration, other: query)
    }

    private func check(_ item: BatchItem, _ choice: VoiceChoice, _ inventory: HostSnapshot) throws {
        let engine = choice.heaviest.voice.engine
        let varies = inventory.listings.compactMap(\.engine).first { $0.id == engine }?.variesReadings ?? true
        guard !varies else { return }
        throw CommandFailure(
            BookFailure.list(line: item.line, reason: "the engine \(engine) always reads text the same way"))
    }

    /// The name that identifies the list in the output folder's records.
    private var name: String {
        let path = arguments.positionals[0]
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    private func items() throws -> [BatchItem] {
        let path = arguments.positionals[0]
        let bytes: [UInt8]
        do {
            if path == "-" {
                bytes = try context.standardInput().readAll(limit: Self.largest)
            } else {
                bytes = try readWholeFile(path, limit: Self.largest)
                context.inUse.add(RegularFile(path: path), as: .text)
            }
        } catch {
            throw CommandFailure(unreadable: path == "-" ? "Standard input" : path, error)
        }
        if let lexicon = arguments[Options.lexicon] { context.inUse.add(path: lexicon, as: .lexicon) }
        let items = try BatchList.items(bytes)
        for item in items { try item.check() }
        return items
    }

    private func target(_ output: String) throws -> BatchMaker.Target {
        let format = try (arguments[Options.format] ?? .wav).orMissing()
        if RegularFile(path: output) != nil || output == "-" {
            throw CommandFailure(
                .cannotWriteOutput, "\(output) is not a folder.", "With -o, pass a folder for the files.")
        }
        try OutputPath.check(folder: output)
        return BatchMaker.Target(
            folder: output, format: format, quality: arguments[Options.quality] ?? SoundFileOptions.usualQuality,
            shard: try .asked(context))
    }
}

extension BatchItem.Factor {
    fileprivate var factor: SpeechFactor {
        switch self {
        case .rate: .rate
        case .pitch: .pitch
        case .volume: .volume
        case .variation: .variation
        }
    }

    fileprivate func set(_ value: Double, in settings: inout SpeechSettings) {
        switch self {
        case .rate: settings.rate = value
        case .pitch: settings.pitch = value
        case .volume: settings.volume = Gain(factor: Float(value))
        case .variation: settings.variation = value
        }
    }
}

extension BatchItem {
    /// - Throws: `list` if a factor is out of range.
    fileprivate func check() throws {
        for factor in Factor.allCases {
            guard let value = factors[factor], !factor.factor.range.contains(value) else { continue }
            throw BookFailure.list(line: line, reason: "\(factor.rawValue) must be \(factor.factor.expectation)")
        }
    }

    /// - Parameters:
    ///   - isMain: whether this is the item's voice, as opposed to a voice for words in another language.
    ///   - hasVoice: whether the options select a voice.
    ///   - language: the language option.
    fileprivate func applied(
        to settings: SpeechSettings, isMain: Bool, _ hasVoice: Bool, _ language: String?
    ) -> SpeechSettings {
        var settings = settings
        for (factor, value) in factors { factor.set(value, in: &settings) }
        // Set the language only if a voice is set. Otherwise, the language selects the voice.
        if isMain, hasVoice || voice.name != nil { settings.language = voice.language ?? language }
        return settings
    }

    /// Groups the items by voice, in order of first use.
    fileprivate static func groups(_ items: [BatchItem]) -> [[BatchItem]] {
        var groups: [[BatchItem]] = []
        var places: [Voice: Int] = [:]
        for item in items {
            if let position = places[item.voice] {
                groups[position].append(item)
            } else {
                places[item.voice] = groups.count
                groups.append([item])
            }
        }
        return groups
    }
}

/// The messages that `batch` prints while it works and when it is done.
final class BatchReport {
    let display: BookProgressDisplay
    private let context: CommandContext
    private let begun = ContinuousClock.now
    private var total = 0
    private var (count, keptCount, seconds, spoken) = (0, 0, 0.0, 0.0)
    /// The items that contain nothing to speak.
    private var silent: [BatchItem] = []

    init(_ context: CommandContext) {
        self.context = context
        display = BookProgressDisplay(context)
    }

    func begin(_ count: Int) {
        total = count
        display.reporter.begin("Speaking \(count) \(count == 1 ? "text" : "texts")")
    }

    func made(_ made: BatchMaker.FinishedItem) {
        count += 1
        seconds += made.seconds
        if made.isKept { keptCount += 1 } else { spoken += made.seconds }
        if made.file == nil { silent.append(made.item) }
        if context.arguments[Options.json] {
            // An item that contains nothing to speak has no file.
            display.print([
                "id": made.item.id, "file": made.file, "seconds": (made.seconds * 1000).rounded() / 1000,
                "kept": made.isKept,
            ])
        }
        display.reporter.report(.fraction(Double(count) / Double(max(1, total))))
    }

    func conclude(
        _ target: BatchMaker.Target, manifest: String?, wasCancelled: Bool
    ) throws {
        try display.check()
        if wasCancelled {
            throw CommandFailure(
                .interrupted, context.arguments[Options.quiet] ? nil : "Stopped; finished files are kept.",
                "Run the same command again to continue.")
        }
        if !context.arguments[Options.json], !context.arguments[Options.quiet] {
            var words = [
                "\(count) \(count == 1 ? "text" : "texts"), \(HumanReadable.duration(.seconds(seconds))) of speech"
            ]
            words[0] += " in \(target.folder)"
            if keptCount > 0 {
                words.append(keptCount == count ? "all from an earlier run" : "\(keptCount) from an earlier run")
            }
            if let speed = MadeSpeed.words(spoken, since: begun) { words.append(speed) }
            context.printMessage(words.joined(separator: ", ") + ".")
            if let manifest {
                context.printMessage("\(manifest) describes each file.")
            } else if let shard = target.shard {
                context.printMessage(
                    "Shard \(shard.number) of \(shard.count) is complete. When all shards are complete, run the same command with --join instead of --shard."
                )
            }
        }
        if let first = silent.first {
            throw CommandFailure(
                .inputMissing,
                silent.count == 1
                    ? "Line \(first.line) of the list contains nothing to speak (\(first.id))."
                    : "\(silent.count) lines of the list contain nothing to speak; the first is line \(first.line) (\(first.id)).",
                "The other files are complete. Correct the list, and run the same command again.")
        }
    }
}
