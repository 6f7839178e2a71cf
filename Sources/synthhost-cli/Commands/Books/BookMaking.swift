import SynthAudio
import SynthBooks
import SynthCatalogue
import SynthCommandSyntax
import SynthDocuments
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost book FILE -o OUT`: creates an audiobook.
struct BookMaking: CommandPart {
    let context: CommandContext
    let path: String
    let output: String

    func run() throws {
        let cancellation = context.cancellation(leavesAtOnce: true)
        let read = try ReadDocument(context, path: path, DocumentForm(path: path), withCover: true)
        context.inUse.add(RegularFile(path: path), as: .text)
        if let notice = read.frontMatterNotice, !arguments[Options.quiet], !arguments[Options.json] {
            context.printMessage(notice)
        }
        if let lexicon = arguments[Options.lexicon] { context.inUse.add(path: lexicon, as: .lexicon) }
        let target = try target()
        var bookCast = try arguments[Options.castVoices].map { path in
            try BookCast(path: path, context)
        }
        let shard = try BookShard.asked(context)
        let configuration = try context.configuration()
        let host = try context.host(configuration)
        let inventory = host.snapshot()
        var voice = RequestedVoice(context: context, inventory: inventory, configuration: configuration)
        if let narrator = bookCast?.narrator, arguments[Options.voice] == nil {
            voice.other = VoiceQuery(name: narrator)
        }
        bookCast?.narrator = nil
        if voice.other == nil { try voice.take(languagesOf: read) }
        let report = BookReport(context, target)
        defer { report.display.reporter.end() }
        // Check the options and the cast before downloading a voice.
        let settings = try SpokenSettings(
            arguments, configuration, inventory, fallsBack: false, onNotice: report.display.notices.take)
        _ = try voice.choose()
        try bookCast?.find(voice, cancellation)
        bookCast?.tellUnused(in: read, context)
        let choice = try voice.find(cancellation, nil).choice
        defer { host.abandonEngines() }
        context.leave(host, at: cancellation, report.display.reporter)
        let session = try voice.session(choice, needsPhonemes: false, onLog: report.display.log)
        let own = settings.settings(of: session.voice)
        var plan = BookPlan(
            read.document, path: path, modified: read.modified, chosen: read.chosen,
            languages: read.languages, cast: bookCast, by: session, own, target)
        if let title = arguments[Options.title] { plan.title = title.isEmpty ? nil : title }
        if let author = arguments[Options.author] { plan.authors = [author] }
        let cast = session.cast()
        let speak: BookMaker.Speak = { (part, sink, timings, progress) throws(SpeechError) in
            let timings = try timings.map { path throws(SpeechError) in try TimingsFile(path: path) }
            let source = try ScriptSource(try part.spoken())
            let speech = settings.speech(of: source, by: session, cast)
            return try cancellation.during({ speech.cancel() }) { () throws(SpeechError) in
                try speech.deliver(to: sink, timings: timings, progress)
            }
        }
        // From here on, stopping the command keeps the finished chapters.
        cancellation.set {}
        report.display.reporter.begin("Loading \(choice.title) from \(session.engine.name)")
        let outcome: BookOutcome
        let maker = try BookMaker(plan, sparing: context.inUse) { cancellation.isRequested }
        if let shard {
            outcome = try maker.make(shard, speak, report.progress)
        } else {
            outcome = try maker.make(arguments[Options.join] ? nil : speak, report.progress)
        }
        report.display.reporter.end()
        try report.conclude(outcome, shard)
        if outcome.wasCancelled { throw CommandFailure(.interrupted, nil) }
    }

    /// Returns a single-file target if the name has the extension of an audio format, and a folder target otherwise.
    private func target() throws -> BookTarget {
        if output == "-" {
            throw CommandFailure(
                .usage, "A book cannot be written to standard output.",
                "Pass a folder or a file with -o, or pipe one chapter: synthhost speak -f FILE --chapters 1 -o -")
        }
        if SoundFileFormat.ending(of: output)?.lowercased() == "epub", !isFolder(output) { return try epub() }
        let isM4B = SoundFileFormat.ending(of: output)?.lowercased() == "m4b" && !isFolder(output)
        let converter = isM4B ? context.program("ffmpeg") : nil
        if converter == nil, !isFolder(output), let other = UnsupportedFormat(path: output) {
            throw CommandFailure(
                .usage, "\(output) has the extension of \(other.format), which synthhost cannot write on its own.",
                isM4B
                    ? "Install ffmpeg, which can write this format: sudo apt install ffmpeg"
                    : "Write book.opus instead, then convert it: ffmpeg -i book.opus \(ShellWord.quoted(output))")
        }
        // FLAC is the intermediate format for M4B, because it is lossless and supports chapter marks.
        let ending =
            isM4B
            ? .flac : isFolder(output) ? nil : SoundFileFormat.ending(of: output).flatMap(SoundFileFormat.init(ending:))
        if isM4B, arguments[Options.bookFormat] != nil {
            throw CommandFailure(
                .usage, "\(output) always contains AAC, regardless of --format.",
                "Omit --format, or pass a folder with -o.")
        }
        let format = ending ?? arguments[Options.bookFormat] ?? .opus
        if let asked = arguments[Options.bookFormat], asked != format {
            throw CommandFailure(AudioError.endingContradicts(path: output, ending: format, asked: asked))
        }
        if ending == nil, RegularFile(path: output) != nil {
            throw CommandFailure(
                .cannotWriteOutput, "\(output) is a file, not a folder for the chapters.",
                "Pass a different folder with -o.")
        }
        return BookTarget(
            path: output, form: ending == nil ? .folder : .file, format: try written(format, isFile: ending != nil),
            quality: quality, loudness: loudness, container: converter.map { .audiobook(ffmpeg: $0) } ?? .sound,
            subtitles: arguments[Options.subtitles])
    }

    private var quality: Int { arguments[Options.quality] ?? SoundFileOptions.usualQuality }
    private var loudness: BookLoudness { arguments[Options.loudness] ?? .usual }

    private func epub() throws -> BookTarget {
        if arguments[Options.subtitles] != nil {
            throw CommandFailure(
                .usage, "\(output) already contains the text with sentence timings.", "Omit --timings.")
        }
        if let asked = arguments[Options.bookFormat], asked != .mp3 {
            throw CommandFailure(
                .usage, "The audio in an EPUB is always MP3, which all e-book readers support.", "Omit --format.")
        }
        return BookTarget(
            path: output, form: .file, format: try written(.mp3, isFile: true), quality: quality, loudness: loudness,
            container: .epub)
    }

    /// Returns the format. Throws if the output path is invalid, or if this machine cannot write the format.
    private func written(_ format: SoundFileFormat, isFile: Bool) throws -> SoundFileFormat {
        if isFile {
            try OutputPath.check(output, sparing: context.inUse)
        } else {
            try OutputPath.check(folder: output)
        }
        return try format.orMissing()
    }
}
