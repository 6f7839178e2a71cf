import Glibc
import SynthAudio
import SynthCatalogue
import SynthCommandParts
import SynthCommandSyntax
import SynthHost
import SynthListening
import SynthSentences
import SynthSystem
import SynthTerminal

/// `synthhost transcribe`: what is said in a sound file.
struct TranscribeCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        let cancellation = Cancellation()
        context.interruption.handle({ cancellation.cancel() }, leaving: { cancellation.runExitAction() })
        cancellation.set { [interruption = context.interruption] in interruption.leave() }
        let (format, output) = try target()
        let configuration = try context.configuration(arguments)
        let host = try context.host(arguments, configuration)
        let inventory = host.inventory()
        // Input and output are checked before a model is downloaded or loaded.
        let input = try SoundInput(arguments.positionals[0], context)
        let sound: ClipReader
        do { sound = try inventory.opened(input.clip) } catch { throw input.failure(SpeechError(error.ofRecording)) }
        if arguments[Options.verbose], sound.tracks > 1 {
            context.say("The recording has \(sound.tracks) tracks with sound, of which one is transcribed.")
        }
        if let output {
            try OutputPath.check(output, sparing: context.inUse)
        }
        let choice = try HearingAcquisition(context, arguments, inventory, cancellation).choose { choice in
            guard arguments[Options.translate], !choice.translates else { return }
            throw CommandFailure(
                .usage, "The recognizer \(choice.recognizerID) cannot translate.",
                "Leave out --translate, or choose another one with --recognizer; `synthhost recognizers` lists them.")
        }
        let wait = ShownWait(context, arguments, "Loading \(choice.model.name)")
        defer { wait.end() }
        let isVerbose = arguments[Options.verbose]
        let transcription = inventory.transcription(
            by: choice, language: arguments[Options.spokenLanguage], isTranslated: arguments[Options.translate],
            timesWords: format != .txt, splitsChannels: arguments[Options.channels] ?? false,
            onLog: { line in if isVerbose { wait.print(line) } })
        cancellation.setExitAction { transcription.end() }
        defer { transcription.end() }
        let page = try TranscriptPage(
            context, TranscriptText(format, rate: transcription.rate), output,
            input.isLasting ? transcription.subject(input.clip) : nil)
        if page.pieces > 0 { wait.show("Continuing") }
        // From here on it can be stopped with care.
        cancellation.set {}
        try transcribe(input, by: transcription, onto: page, sound.statedSeconds, wait, cancellation)
    }

    // MARK: - What is asked for

    /// The form, and the file that is written; nil = standard output.
    private func target() throws -> (TranscriptFormat, String?) {
        let asked = arguments[Options.transcriptFormat]
        let usual = asked ?? (arguments[Options.json] ? .json : .txt)
        guard let path = arguments[Options.transcriptOutput], path != "-" else { return (usual, nil) }
        guard let ending = SoundFileFormat.ending(of: path) else { return (usual, path) }
        guard let format = TranscriptFormat(rawValue: ending.lowercased()) else {
            guard let asked else {
                throw CommandFailure(
                    .usage, "\"\(path)\" does not end like a transcript.",
                    "Use .txt, .srt, .vtt or .json, or choose one of these formats with --format.")
            }
            return (asked, path)
        }
        guard asked == nil || asked == format else {
            throw CommandFailure(
                .usage, "\"\(path)\" ends like a .\(format.rawValue) file, and --format names another format.",
                "Leave out --format, or give the file another ending.")
        }
        return (format, path)
    }

    // MARK: - Understanding

    private func transcribe(
        _ input: borrowing SoundInput, by transcription: Transcription, onto page: TranscriptPage, _ duration: Double?,
        _ wait: ShownWait, _ cancellation: Cancellation
    ) throws {
        var failure: CommandFailure?
        var isCut = false
        do throws(SpeechError) {
            try cancellation.during({ transcription.end() }) { () throws(SpeechError) in
                try transcription.run(input.clip, skipping: page.pieces, unless: { cancellation.isRequested }) {
                    piece in
                    wait.clear()
                    do { try page.add(piece) } catch { failure = CommandFailure(error) }
                    show(piece, of: duration, transcription.rate, wait)
                    return failure == nil && !cancellation.isRequested
                }
            }
        } catch {
            if (error.cause as? AudioError)?.clip != nil { isCut = true }
            if !cancellation.isRequested { failure = failure ?? input.failure(error) }
        }
        wait.end()
        if cancellation.isRequested { throw page.interruption() }
        guard let failure else { return try page.finish() }
        // Of a sound that ends in the middle there will never be more.
        guard isCut, page.pieces > 0 else {
            page.leave()
            throw failure.adding(page.keptWords)
        }
        try page.finish()
        throw failure.adding("the text before it was written")
    }

    private func show(_ piece: TranscribedPiece, of duration: Double?, _ rate: UInt32, _ wait: ShownWait) {
        let seconds = Double(piece.frames.upperBound) / Double(rate)
        guard let duration, duration > 0 else { return wait.show("Listening") }
        wait.show("Listening", .fraction(min(1, seconds / duration)))
    }
}

/// The sound file that is named. One that comes through a pipe is copied into a file without a name, which is gone with this
/// value: a decoder goes back and forth in it.
private struct SoundInput: ~Copyable {
    let clip: ClipFile
    private let copy: Descriptor?
    private let isStandardInput: Bool

    /// More than this from a pipe is refused.
    private static let largest = 4 << 30

    init(_ path: String, _ context: CommandContext) throws {
        isStandardInput = path == "-"
        guard isStandardInput else {
            context.inUse.add(RegularFile(path: path), as: .sound)
            (clip, copy) = (ClipFile(path: path), nil)
            return
        }
        if RegularFile(descriptor: context.input) != nil {
            context.inUse.add(RegularFile(descriptor: context.input), as: .sound)
            (clip, copy) = (ClipFile(path: "/proc/self/fd/\(context.input)"), nil)
            return
        }
        guard isatty(context.input) == 0 else {
            throw CommandFailure(
                .usage, "Standard input is a terminal.", "Send it a sound, as in: cat talk.wav | synthhost transcribe -"
            )
        }
        let folder = context.environment["TMPDIR"] ?? "/tmp"
        let copy = try Self.storing(in: folder) { () throws(Errno) in try Descriptor.unnamed(in: folder) }
        var size = 0
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { chunk.deallocate() }
        while true {
            let count: Int
            do throws(Errno) {
                count = try Errno.check { Glibc.read(context.input, chunk.baseAddress, chunk.count) }
                guard size + count <= Self.largest else { throw Errno.fileTooLarge }
            } catch {
                throw CommandFailure(unreadable: "Standard input", error)
            }
            if count == 0 { break }
            size += count
            try Self.storing(in: folder) { () throws(Errno) in
                try copy.writeAll(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
            }
        }
        guard size > 0 else {
            throw CommandFailure(
                .inputMissing, "Standard input is empty.",
                "Send it a sound, as in: cat talk.wav | synthhost transcribe -")
        }
        (clip, self.copy) = (ClipFile(path: "/proc/self/fd/\(copy.raw)"), copy)
    }

    private static func storing<Value>(
        in folder: String, _ body: () throws(Errno) -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch {
            throw CommandFailure(
                .audioOrDisk, "The recording from standard input could not be stored in \(folder): \(error).",
                "Free some space there, set TMPDIR to another folder, or name the file instead of -.")
        }
    }

    /// Whether the same command would hear the same sound again.
    var isLasting: Bool { !isStandardInput }

    func failure(_ failure: SpeechError) -> CommandFailure {
        guard isStandardInput, let error = (failure.cause as? AudioError)?.clip else { return CommandFailure(failure) }
        return CommandFailure(
            .inputMissing, error.message(of: "the recording on standard input"),
            error.reason == .converterMissing
                ? CommandFailure(failure).remedy : "Send a complete audio file, such as WAV, FLAC, MP3 or Opus.")
    }
}
