import Books
import CommandSyntax
import Documents
import Glibc
import Sentences
import SynthAudio
import SynthHost
import System
import Terminal
import VoiceCatalogue

/// `synthhost book FILE -o OUT`: a book as sound.
struct BookMaking {
    let context: CommandContext
    let arguments: ParsedArguments
    let path: String
    let output: String

    func run() throws(CommandFailure) {
        let cancellation = Cancellation()
        context.interruption.handle({ cancellation.cancel() }, leaving: { cancellation.runExitAction() })
        cancellation.set { [interruption = context.interruption] in interruption.leave() }
        let read = try ReadDocument(context, arguments, path: path, DocumentForm(path: path))
        context.inUse.add(RegularFile(path: path), as: .text)
        if let lexicon = arguments[Options.lexicon] { context.inUse.add(path: lexicon, as: .lexicon) }
        let target = try target()
        let configuration = try context.configuration(arguments)
        let host = try context.host(arguments, configuration)
        let inventory = host.inventory()
        let voice = AskedVoice(
            context: context, arguments: arguments, inventory: inventory, configuration: configuration)
        let choice = try voice.find(cancellation, nil).choice
        defer { host.abandonEngines() }
        let report = BookReport(context, arguments, target)
        defer { report.end() }
        context.leave(host, at: cancellation, report.reporter)
        let session = try voice.session(choice, needsPhonemes: false, onLog: logged(by: report.reporter))
        let settings = try SpokenSettings(
            arguments, configuration, inventory, fallsBack: false, onNotice: { _ in })
        let plan = BookPlan(
            title: arguments[Options.title] ?? read.document.title,
            authors: arguments[Options.author].map { [$0] } ?? read.document.authors,
            cover: read.document.cover.map { SoundFileTags.Picture(type: $0.type, bytes: $0.bytes) },
            chapterCount: read.document.chapters.count,
            chapters: read.chosen.map { BookChapter($0.chapter, number: $0.number) },
            voice: bookVoice(session, settings.settings(of: session.voice)), target: target)
        let cast = session.cast()
        let speak: BookMaker.Speak = { (text, sink, timings, progress) throws(SpeechFailure) in
            let timings = try timings.map { path throws(SpeechFailure) in try TimingsFile(path: path) }
            let source = try ScriptSource(try SpokenScript(Array(text.utf8), as: .markdown))
            let speech = settings.speech(of: source, by: session, cast)
            return try cancellation.during({ speech.cancel() }) { () throws(SpeechFailure) in
                try speech.deliver(to: sink, timings: timings, progress)
            }
        }
        // From here on it can be stopped with care.
        cancellation.set {}
        report.begin("Loading \(choice.title) of \(session.engine.name)")
        let outcome: BookOutcome
        do throws(BookFailure) {
            let maker = try BookMaker(plan, sparing: context.inUse) { cancellation.isRequested }
            if let shard = shard {
                outcome = try maker.make(shard, speak, report.progress)
            } else {
                outcome = try maker.make(arguments[Options.join] ? nil : speak, report.progress)
            }
        } catch {
            throw CommandFailure(error)
        }
        report.end()
        try report.conclude(outcome, shard, source: path)
        if outcome.wasCancelled { throw CommandFailure(.interrupted, nil) }
    }

    /// nil = no log is wanted.
    private func logged(by reporter: ProgressReporter) -> (@Sendable (String) -> Void)? {
        guard arguments[Options.verbose] else { return nil }
        return { line in reporter.print(line) }
    }

    /// A name that ends as a sound file does is one file; any other is a folder.
    private func target() throws(CommandFailure) -> BookTarget {
        let isM4B = SoundFileFormat.ending(of: output)?.lowercased() == "m4b" && !isFolder(output)
        let converter = isM4B ? context.program("ffmpeg") : nil
        if converter == nil, let other = UnsupportedFormat(path: output) {
            throw CommandFailure(
                .usage, "\(output) would be \(other.format), which synthhost does not write itself.",
                isM4B
                    ? "Install ffmpeg, which makes it: sudo apt install ffmpeg"
                    : "Make book.opus, and then type: ffmpeg -i book.opus \(ShellWord.quoted(output))")
        }
        // What keeps every sample, and the marks of chapters.
        let ending =
            isM4B
            ? .flac : isFolder(output) ? nil : SoundFileFormat.ending(of: output).flatMap(SoundFileFormat.init(ending:))
        let format = ending ?? arguments[Options.bookFormat] ?? .opus
        if let asked = arguments[Options.bookFormat], asked != format {
            throw CommandFailure(AudioError.endingContradicts(path: output, ending: format, asked: asked))
        }
        if ending == nil, RegularFile(path: output) != nil {
            throw CommandFailure(
                .cannotWriteOutput, "\(output) is a file, and not a folder for the chapters.",
                "Name another folder with -o.")
        }
        if ending != nil, let use = context.inUse.use(ofPath: output) {
            throw CommandFailure(AudioError.outputInUse(path: output, use, kept: nil))
        }
        do throws(AudioError) {
            // Told now, and not after an hour of speech.
            if format != .wav, !(try SoundFileFormat.written().contains(format)) {
                throw .formatMissing(format, known: try SoundFileFormat.written())
            }
        } catch {
            throw CommandFailure(error)
        }
        return BookTarget(
            path: output, form: ending == nil ? .folder : .file, format: format,
            quality: arguments[Options.quality] ?? SoundFileOptions.usualQuality,
            loudness: arguments[Options.loudness] ?? .usual, converter: converter,
            subtitles: arguments[Options.subtitles])
    }

    /// What is said on the command line, else what the scheduler of an array of jobs says; nil = this process does it all.
    private var shard: BookShard? {
        if arguments[Options.join] { return nil }
        let shard = arguments[Options.shard] ?? BookShard(environment: context.environment)
        return shard?.count == 1 ? nil : shard
    }

    /// All that makes the same words sound otherwise.
    private func bookVoice(_ session: SpeechSession, _ settings: SpeechSettings) -> BookVoice {
        let choice = session.voice.choice
        let shares = choice.shares.map { "\($0.voice.id)/\($0.speaker ?? "")*\($0.weight)" }
        var words = [
            "rate": "\(settings.rate)", "pitch": "\(settings.pitch)", "volume": "\(settings.volume.factor)",
            "variation": "\(settings.variation)", "language": settings.language ?? "",
            "verbatim": "\(settings.isVerbatim)", "keepsVoice": "\(settings.keepsVoice)",
        ]
        // Only what is spoken with times has them.
        words["timings"] = arguments[Options.subtitles]?.rawValue
        for path in settings.lexicon?.paths ?? [] {
            let bytes = (try? readWholeFile(path, limit: 64 << 20)) ?? []
            words["lexicon", default: ""] += String(decoding: bytes, as: UTF8.self)
        }
        return BookVoice(
            engine: session.engine.id, engineVersion: session.engine.version,
            voice: shares.joined(separator: "+"), settings: words)
    }
}

extension BookShard {
    /// What Slurm's and Kubernetes' arrays of jobs say; nil = it is none.
    init?(environment: [String: String]) {
        func number(_ name: String) -> Int? { environment[name].flatMap { Int($0) } }
        if let task = number("SLURM_ARRAY_TASK_ID"), let count = number("SLURM_ARRAY_TASK_COUNT") {
            let first = number("SLURM_ARRAY_TASK_MIN") ?? 0
            self.init(number: (task - first) / max(1, number("SLURM_ARRAY_TASK_STEP") ?? 1) + 1, count: count)
        } else if let index = number("JOB_COMPLETION_INDEX"), let count = number("JOB_COMPLETION_COUNT") {
            self.init(number: index + 1, count: count)
        } else {
            return nil
        }
    }
}

extension CommandContext {
    /// The path of a program that the user has; nil = it is not installed.
    func program(_ name: String) -> String? {
        (environment["PATH"] ?? "").split(separator: ":").map { String($0).child(name) }
            .first { access($0, X_OK) == 0 && RegularFile(path: $0) != nil }
    }
}
