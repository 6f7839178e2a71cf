import Glibc
import SynthAudio
import SynthCatalogue
import SynthCommandSyntax
import SynthEngineWire
import SynthHost
import SynthListening
import SynthSystem
import SynthTerminal

/// `synthhost transcribe`: transcribes audio files.
struct TranscribeCommand: Command {
    let context: CommandContext

    private struct Job {
        /// The name as typed by the user.
        let name: String
        let input: SoundInput
        /// The duration in seconds, or nil if the file does not specify it.
        let duration: Double?
        /// The output path, or nil for standard output.
        let output: String?
    }

    func run() throws {
        let cancellation = context.cancellation(leavesAtOnce: true)
        let (format, output) = try target()
        let words = try arguments.likelyWords()
        let folder = try folder(output, format)
        let report = TranscriptReport(context, total: arguments.positionals.count, folder: folder?.path)
        let configuration = try context.configuration()
        let host = try context.host(configuration)
        let inventory = host.snapshot()
        // Check inputs and outputs before downloading or loading a model.
        let names = TranscriptFolder.names(of: arguments.positionals, format)
        var jobs: [Job] = []
        for (path, name) in zip(arguments.positionals, names) {
            try report.attempt(path) {
                let input = try SoundInput(path, context)
                let sound = try rethrowing(inventory.opened(input.clip)) { (error: AudioError) in
                    input.failure(SpeechError(error.ofRecording))
                }
                if arguments[Options.verbose], sound.tracks > 1 {
                    context.printMessage(
                        "\(path) has \(sound.tracks) audio tracks, but only one of them is transcribed.")
                }
                if folder == nil, let output { try OutputPath.check(output, sparing: context.inUse) }
                let output = folder.map { $0.path.child(name) } ?? output
                jobs.append(Job(name: path, input: input, duration: sound.statedSeconds, output: output))
            }
        }
        if jobs.isEmpty { return try report.conclude() }
        let acquisition = RecognizerAcquisition(context: context, inventory: inventory, cancellation: cancellation)
        let choice = try acquisition.choose { choice in
            guard arguments[Options.translate], !choice.translates else { return }
            throw CommandFailure(
                .usage, "The recognizer \(choice.recognizerID) cannot translate.",
                "Omit --translate, or choose a different recognizer with --recognizer; `synthhost recognizers` lists "
                    + "them."
            )
        }
        let wait = ShownWait(context, "Loading \(choice.model.name)")
        defer { wait.end() }
        let isVerbose = arguments[Options.verbose]
        let source = try inventory.source(of: choice) { line in if isVerbose { wait.print(line) } }
        let transcription = source.transcription(
            language: arguments[Options.spokenLanguage], isTranslated: arguments[Options.translate],
            timesWords: format != .txt, prompt: arguments[Options.prompt], words: words,
            splitsChannels: arguments[Options.channels] ?? false)
        cancellation.setExitAction { transcription.end() }
        defer { transcription.end() }
        // From here on, stopping the command keeps the finished text.
        cancellation.set {}
        try folder?.create()
        for job in jobs {
            if cancellation.isRequested {
                throw CommandFailure(.interrupted, "Stopped.", "Run the same command again to continue.")
            }
            try report.attempt(job.name) {
                let subject = job.input.isReproducible ? transcription.subject(job.input.clip) : nil
                if let folder, let output = job.output, let subject {
                    if try folder.holds(output, of: subject) { return report.keep() }
                }
                wait.clear()
                try report.begin(job.name, format)
                let isOneOfSeveral = arguments.positionals.count > 1 && job.output == nil
                let page = try TranscriptPage(
                    context, format, rate: transcription.rate, job.output, subject,
                    of: isOneOfSeveral ? job.name : nil)
                if page.pieces > 0 { wait.show("Continuing") }
                try transcribe(job, by: transcription, onto: page, wait, cancellation, report.label(job.name))
                if let folder, let output = job.output, let subject { try folder.note(output, of: subject) }
            }
        }
        wait.end()
        try report.conclude()
    }

    // MARK: - Options

    /// Returns the output folder, or nil if the text is written to a single file or to standard output.
    private func folder(_ output: String?, _ format: TranscriptFormat) throws -> TranscriptFolder? {
        let inputs = arguments.positionals
        guard let output else {
            guard inputs.count > 1 else { return nil }
            guard format == .txt || format == .json else {
                throw CommandFailure(
                    .usage, "Transcripts of several files can be printed only as text or JSON.",
                    "Pass a folder for the transcripts, as in: -o Transcripts")
            }
            return nil
        }
        guard inputs.count > 1 || output.hasSuffix("/") || isFolder(output) else { return nil }
        if RegularFile(path: output) != nil {
            throw CommandFailure(
                .cannotWriteOutput, "\(output) is not a folder.", "With -o, pass a folder for the transcripts.")
        }
        try OutputPath.check(folder: output)
        return TranscriptFolder(path: output)
    }

    /// Returns the format and the path of the output file or folder. The path is nil for standard output.
    private func target() throws -> (TranscriptFormat, String?) {
        let inputs = arguments.positionals
        if inputs.count > 1, inputs.contains("-") {
            throw CommandFailure(
                .usage, "Standard input cannot be transcribed together with files.",
                "Transcribe standard input separately.")
        }
        let asked = arguments[Options.transcriptFormat]
        let usual = asked ?? (arguments[Options.json] ? .json : .txt)
        guard let path = arguments[Options.transcriptOutput], path != "-" else { return (usual, nil) }
        if path.hasSuffix("/") || isFolder(path) { return (usual, path) }
        if inputs.count > 1 {
            // The user specified a file, but several transcripts need a folder.
            if let ending = SoundFileFormat.ending(of: path), TranscriptFormat(rawValue: ending.lowercased()) != nil {
                throw CommandFailure(
                    .usage, "Several transcripts need a folder, but \"\(path)\" is the name of a single transcript.",
                    "Pass a folder with -o, and choose the format with --format.")
            }
            return (usual, path)
        }
        guard let ending = SoundFileFormat.ending(of: path) else { return (usual, path) }
        guard let format = TranscriptFormat(rawValue: ending.lowercased()) else {
            guard let asked else {
                throw CommandFailure(
                    .usage, "\"\(path)\" does not have the extension of a transcript.",
                    "Use .txt, .srt, .vtt or .json, or choose one of these formats with --format.")
            }
            return (asked, path)
        }
        guard asked == nil || asked == format else {
            throw CommandFailure(
                .usage, "\"\(path)\" has the extension .\(format.rawValue), but --format specifies a different one.",
                "Omit --format, or use a different extension.")
        }
        return (format, path)
    }

    // MARK: - Transcribing

    private func transcribe(
        _ job: Job, by transcription: Transcription, onto page: TranscriptPage, _ wait: ShownWait,
        _ cancellation: Cancellation, _ label: String
    ) throws {
        var failure: CommandFailure?
        var isCut = false
        do throws(SpeechError) {
            try cancellation.during({ transcription.end() }) { () throws(SpeechError) in
                try transcription.run(job.input.clip, skipping: page.pieces, unless: { cancellation.isRequested }) {
                    piece in
                    wait.clear()
                    if arguments[Options.verbose] {
                        for text in piece.leftOut { context.printMessage(words(leftOut: text, transcription.rate)) }
                    }
                    do { try page.add(piece) } catch { failure = CommandFailure(error) }
                    if page.isOnTerminal {
                        wait.end()
                    } else {
                        show(piece, of: job.duration, transcription.rate, wait, label)
                    }
                    return failure == nil && !cancellation.isRequested
                }
            }
        } catch {
            if let flaw = (error.cause as? AudioError)?.clip { isCut = !flaw.isTemporary }
            if !cancellation.isRequested { failure = failure ?? job.input.failure(error) }
        }
        wait.clear()
        if cancellation.isRequested { throw page.interruption() }
        guard let failure else { return try page.finish() }
        // Save the text of a truncated recording now. Running the command again would not help, because the recording
        // stays incomplete.
        guard isCut, page.pieces > 0 else {
            page.leave()
            throw failure.adding(page.keptWords)
        }
        try page.finish()
        throw failure.adding("the text up to that point was saved")
    }

    /// Formats a notice, such as "1:02 to 1:04: left out "Thank you.", because the audio contains no speech."
    private func words(leftOut text: RecognizedText, _ rate: UInt32) -> String {
        func time(_ frame: UInt64) -> String {
            let seconds = Int(frame / UInt64(rate))
            return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        }
        let why =
            switch text.leftOut {
            case .repeatsItself?: "it repeats itself"
            case .nobodySpeaks?: "the audio contains no speech"
            case .hardlyLikely?, nil: "the recognizer was not confident about it"
            }
        return
            "\(time(text.frames.lowerBound)) to \(time(text.frames.upperBound)): left out \"\(text.text)\", because \(why)."
    }

    private func show(
        _ piece: TranscribedPiece, of duration: Double?, _ rate: UInt32, _ wait: ShownWait, _ label: String
    ) {
        let seconds = Double(piece.frames.upperBound) / Double(rate)
        guard let duration, duration > 0 else { return wait.show(label) }
        wait.show(label, .fraction(min(1, seconds / duration)))
    }
}

/// The audio file to transcribe. Decoders need to seek, so standard input is copied to an unnamed temporary file, which
/// is deleted with this object.
private final class SoundInput {
    let clip: ClipFile
    private let copy: Descriptor?
    private let isStandardInput: Bool

    /// The maximum size of standard input in bytes.
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
                .usage, "Standard input is a terminal.",
                "Pipe audio into the command, as in: cat talk.wav | synthhost transcribe -"
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
                "Pipe audio into the command, as in: cat talk.wav | synthhost transcribe -")
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
                .audioOrDisk, "Cannot store the recording from standard input in \(folder): \(error).",
                "Free some space there, set TMPDIR to a different folder, or pass the file instead of -.")
        }
    }

    /// Whether running the same command again would read the same audio.
    var isReproducible: Bool { !isStandardInput }

    func failure(_ failure: SpeechError) -> CommandFailure {
        guard isStandardInput, let error = (failure.cause as? AudioError)?.clip else { return CommandFailure(failure) }
        return CommandFailure(
            .inputMissing, error.message(of: "the recording on standard input"),
            error.reason == .converterMissing
                ? CommandFailure(failure).remedy : "Send a complete audio file, such as WAV, FLAC, MP3 or Opus.")
    }
}
