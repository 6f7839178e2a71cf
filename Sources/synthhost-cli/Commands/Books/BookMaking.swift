import Books
import CommandSyntax
import Documents
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
        let read = try ReadDocument(context, arguments, path: path, DocumentForm(path: path), withCover: true)
        context.inUse.add(RegularFile(path: path), as: .text)
        if let lexicon = arguments[Options.lexicon] { context.inUse.add(path: lexicon, as: .lexicon) }
        let target = try target()
        let shard = try shard()
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
            arguments, configuration, inventory, fallsBack: false, onNotice: report.notices.take)
        let own = settings.settings(of: session.voice)
        var plan = BookPlan(
            source: read.document.title ?? path.split(separator: "/").last.map(String.init) ?? path,
            title: arguments[Options.title] ?? read.document.title,
            authors: arguments[Options.author].map { [$0] } ?? read.document.authors,
            cover: read.document.cover.map { SoundFileTags.Picture(type: $0.type, bytes: $0.bytes) },
            chapterCount: read.document.chapters.count,
            chapters: read.chosen.map { BookChapter($0.chapter, number: $0.number) },
            voice: bookVoice(session, own, target), pauses: own.pauses.atRate(own.rate), target: target)
        plan.language = read.document.language ?? session.voice.language
        plan.narrator = choice.title
        plan.modified = read.modified
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
            if let shard {
                outcome = try maker.make(shard, speak, report.progress)
            } else {
                outcome = try maker.make(arguments[Options.join] ? nil : speak, report.progress)
            }
        } catch {
            throw CommandFailure(error)
        }
        report.end()
        try report.conclude(outcome, shard)
        if outcome.wasCancelled { throw CommandFailure(.interrupted, nil) }
    }

    /// nil = no log is wanted.
    private func logged(by reporter: ProgressReporter) -> (@Sendable (String) -> Void)? {
        guard arguments[Options.verbose] else { return nil }
        return { line in reporter.print(line) }
    }

    /// A name that ends as a sound file does is one file; any other is a folder.
    private func target() throws(CommandFailure) -> BookTarget {
        if output == "-" {
            throw CommandFailure(
                .usage, "A book cannot be written to standard output.",
                "Name a folder or a file with -o, or pipe one chapter: synthhost speak -f FILE --chapters 1 -o -")
        }
        if SoundFileFormat.ending(of: output)?.lowercased() == "epub", !isFolder(output) { return try epub() }
        let isM4B = SoundFileFormat.ending(of: output)?.lowercased() == "m4b" && !isFolder(output)
        let converter = isM4B ? context.program("ffmpeg") : nil
        if converter == nil, !isFolder(output), let other = UnsupportedFormat(path: output) {
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
        if isM4B, arguments[Options.bookFormat] != nil {
            throw CommandFailure(
                .usage, "\(output) is AAC, whatever --format says.", "Leave --format away, or name a folder with -o.")
        }
        let format = ending ?? arguments[Options.bookFormat] ?? .opus
        if let asked = arguments[Options.bookFormat], asked != format {
            throw CommandFailure(AudioError.endingContradicts(path: output, ending: format, asked: asked))
        }
        if ending == nil, RegularFile(path: output) != nil {
            throw CommandFailure(
                .cannotWriteOutput, "\(output) is a file, and not a folder for the chapters.",
                "Name another folder with -o.")
        }
        return BookTarget(
            path: output, form: ending == nil ? .folder : .file, format: try written(format, isFile: ending != nil),
            quality: quality, loudness: loudness, container: converter.map { .audiobook(ffmpeg: $0) } ?? .sound,
            subtitles: arguments[Options.subtitles])
    }

    private var quality: Int { arguments[Options.quality] ?? SoundFileOptions.usualQuality }
    private var loudness: BookLoudness { arguments[Options.loudness] ?? .usual }

    private func epub() throws(CommandFailure) -> BookTarget {
        if arguments[Options.subtitles] != nil {
            throw CommandFailure(
                .usage, "\(output) has the text in it, each sentence with its time.", "Leave --timings away.")
        }
        if let asked = arguments[Options.bookFormat], asked != .mp3 {
            throw CommandFailure(
                .usage, "The sound in an EPUB is MP3, which all readers of books know.", "Leave --format away.")
        }
        return BookTarget(
            path: output, form: .file, format: try written(.mp3, isFile: true), quality: quality, loudness: loudness,
            container: .epub)
    }

    /// The format, if it can be written; told now, and not after an hour of speech.
    private func written(_ format: SoundFileFormat, isFile: Bool) throws(CommandFailure) -> SoundFileFormat {
        if isFile, let use = context.inUse.use(ofPath: output) {
            throw CommandFailure(AudioError.outputInUse(path: output, use, kept: nil))
        }
        do throws(AudioError) {
            if format != .wav, !(try SoundFileFormat.written().contains(format)) {
                throw .formatMissing(format, known: try SoundFileFormat.written())
            }
        } catch {
            throw CommandFailure(error)
        }
        return format
    }

    /// What is said on the command line, else what the scheduler of an array of jobs says; nil = this process does it all.
    private func shard() throws(CommandFailure) -> BookShard? {
        if arguments[Options.join] { return nil }
        if let shard = arguments[Options.shard] { return shard.count == 1 ? nil : shard }
        switch JobArray(context.environment) {
        case .none: return nil
        case .share(let shard): return shard.count == 1 ? nil : shard
        case .unusable(let names):
            throw CommandFailure(
                .usage,
                "What \(names) say is no share of a book: numbers without gaps are needed, and how many there are.",
                "Name the share: --shard 2/8. To make all of the book in this job, type: --shard 1/1")
        }
    }

    /// All that makes the same words sound otherwise.
    private func bookVoice(
        _ session: SpeechSession, _ settings: SpeechSettings, _ target: BookTarget
    ) -> BookVoice {
        let choice = session.voice.choice
        let shares = choice.shares.map { "\($0.voice.id)/\($0.speaker ?? "")*\($0.weight)" }
        var words = [
            "rate": "\(settings.rate)", "pitch": "\(settings.pitch)", "volume": "\(settings.volume.factor)",
            "variation": "\(settings.variation)", "language": settings.language ?? "",
            "verbatim": "\(settings.isVerbatim)", "keepsVoice": "\(settings.keepsVoice)",
        ]
        words["pauses"] = "\(settings.pauses.sentence) \(settings.pauses.paragraph) \(settings.pauses.heading)"
        // Only what is spoken with times has them.
        words["timings"] = target.timings
        for path in settings.lexicon?.paths ?? [] {
            // What cannot be read now could be read a moment ago.
            let bytes = (try? readWholeFile(path, limit: 64 << 20)) ?? []
            words["lexicon", default: ""] += "\(bytes.count) \(ContentHash(bytes).hexadecimal) "
        }
        return BookVoice(
            engine: session.engine.id, engineVersion: session.engine.version,
            voice: shares.joined(separator: "+"), settings: words)
    }
}

/// The share of a book that Slurm's and Kubernetes' arrays of jobs say.
private enum JobArray {
    /// This is no task of an array.
    case none
    case share(BookShard)
    /// Its numbers are none of a share; the variables' names.
    case unusable(String)

    init(_ environment: [String: String]) {
        func number(_ name: String) -> Int? {
            environment[name].flatMap { Int($0) }.flatMap { (0...1_000_000).contains($0) ? $0 : nil }
        }
        if environment["SLURM_ARRAY_TASK_ID"] != nil {
            let first = number("SLURM_ARRAY_TASK_MIN") ?? 0
            let step = max(1, number("SLURM_ARRAY_TASK_STEP") ?? 1)
            let shard = number("SLURM_ARRAY_TASK_ID").flatMap { task in
                number("SLURM_ARRAY_TASK_COUNT").flatMap { BookShard(number: (task - first) / step + 1, count: $0) }
            }
            self = shard.map(Self.share) ?? .unusable("SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT")
        } else if environment["JOB_COMPLETION_INDEX"] != nil {
            let shard = number("JOB_COMPLETION_INDEX").flatMap { index in
                number("JOB_COMPLETION_COUNT").flatMap { BookShard(number: index + 1, count: $0) }
            }
            self = shard.map(Self.share) ?? .unusable("JOB_COMPLETION_INDEX and JOB_COMPLETION_COUNT")
        } else {
            self = .none
        }
    }
}
