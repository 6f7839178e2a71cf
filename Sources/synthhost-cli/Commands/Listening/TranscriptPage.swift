import Glibc
import SynthAudio
import SynthCommandSyntax
import SynthListening
import SynthSystem
import SynthTerminal

/// The destination of a transcript. Standard output, pipes and devices receive text as it arrives. A file gets its name only when it is
/// complete; until then, a journal is stored next to the output path.
final class TranscriptPage {
    private let context: CommandContext
    private let output: String?
    private let journal: TranscriptJournal?
    private var form: TranscriptText
    private var sentences: TranscriptSentences
    /// The new contents of the output file, which replace the file when the transcript is complete.
    private var file: ReplacementFile?
    private var text = ""
    /// A pipe or device, to which text is written directly.
    private let stream: Descriptor?
    /// The number of finished segments.
    private(set) var pieces = 0

    /// - Parameters:
    ///   - rate: the number of frames per second.
    ///   - output: the path, or nil for standard output.
    ///   - subject: identifies the recording and the model in the journal, or nil to write no journal because the recording cannot be read
    ///     again.
    ///   - recording: the name of the recording, if several transcripts share the output.
    /// - Throws: an error if the output cannot be written.
    init(
        _ context: CommandContext, _ format: TranscriptFormat, rate: UInt32, _ output: String?, _ subject: String?,
        of recording: String? = nil
    ) throws {
        self.context = context
        form = TranscriptText(format, rate: rate, of: recording)
        sentences = TranscriptSentences(rate: rate)
        self.output = output
        guard let output else {
            (journal, stream) = (nil, nil)
            try begin()
            return
        }
        if let use = context.inUse.use(ofPath: output) {
            throw CommandFailure(AudioError.outputInUse(path: output, use, kept: nil))
        }
        var status = stat()
        let isThere = stat(output, &status) == 0
        do throws(Errno) {
            if isThere, status.st_mode & S_IFMT != S_IFREG {
                journal = nil
                stream = try Descriptor.open(output, O_WRONLY | O_NOCTTY)
            } else {
                stream = nil
                file = try ReplacementFile(at: output)
                journal = try subject.map { subject throws(Errno) in
                    let path = Self.journalPath(output, subject)
                    if context.inUse.use(ofPath: path) != nil { throw Errno.exists }
                    return try TranscriptJournal(path, of: subject)
                }
            }
        } catch {
            if error == Errno(EWOULDBLOCK) {
                throw CommandFailure(
                    .tryAgain, "Another process is writing \"\(output)\".",
                    "Wait until that process has finished, then run the same command again.")
            }
            throw CommandFailure(AudioError.outputNotCreated(path: output, code: error.code))
        }
        try begin()
        for piece in journal?.pieces ?? [] { try take(piece) }
    }

    /// Returns the path of the journal. The path depends on the recording and the model, so that a mistyped command
    /// does not overwrite a journal.
    private static func journalPath(_ output: String, _ subject: String) -> String {
        var name = output.split(separator: "/").last.map(String.init) ?? output
        while name.utf8.count > 180 { name.removeLast() }
        return LinkTarget.folder(of: output).child(
            ".\(name).\(ContentHash(subject.utf8).hexadecimal).synthhost-transcript")
    }

    func add(_ piece: TranscribedPiece) throws {
        do { try journal?.add(piece) } catch { throw unwritten(error) }
        try take(piece)
    }

    private func begin() throws { try write(form.head) }

    private func take(_ piece: TranscribedPiece) throws {
        pieces += 1
        for text in piece.leftOut { form.add(leftOut: text) }
        for sentence in sentences.add(piece) { try write(form.add(sentence)) }
    }

    private func writeRest() throws {
        for sentence in sentences.finish() { try write(form.add(sentence)) }
        try write(form.finish())
    }

    private func write(_ new: String) throws {
        if new.isEmpty { return }
        if output == nil { return try context.print(part: new) }
        guard let stream else { return text += new }
        do {
            try withoutBrokenPipeSignal { () throws(Errno) in try stream.writeAll(Array(new.utf8)) }
        } catch {
            throw unwritten(error)
        }
    }

    private func unwritten(_ error: Errno) -> CommandFailure {
        CommandFailure(AudioError.outputNotWritten(name: .file(output ?? ""), code: error.code))
    }

    /// Whether text is printed to a terminal as it arrives, so that a progress line would interfere.
    var isOnTerminal: Bool { output == nil && context.output.style.isTerminal }

    /// Completes the transcript after the last segment.
    func finish() throws {
        try writeRest()
        guard let output, let file = file.take() else { return }
        if let use = context.inUse.use(ofPath: output) {
            throw CommandFailure(AudioError.outputInUse(path: output, use, kept: nil)).adding(keptWords)
        }
        do {
            try file.file.writeAll(Array(text.utf8))
            _ = try file.publish(.whole)
        } catch {
            throw unwritten(error).adding(keptWords)
        }
        journal?.remove()
    }

    /// Stops early and keeps the finished text.
    func leave() {
        if pieces == 0 { journal?.remove() }
        // A stream also gets the last, incomplete sentence.
        if output == nil || stream != nil { try? writeRest() }
    }

    /// The phrase "the text so far is kept", or nil if no text is kept.
    var keptWords: String? { journal != nil && pieces > 0 ? "the text so far is kept" : nil }

    func interruption() -> CommandFailure {
        leave()
        return CommandFailure(
            .interrupted, "Stopped.",
            keptWords == nil ? "" : "Run the same command again to continue.")
    }
}

/// A folder of transcripts. It records which transcripts are complete, so that the next run can skip them.
struct TranscriptFolder {
    let path: String

    /// Records the source and the size of each transcript.
    private static let records = ".synthhost-transcripts"
    private static let longestRecord = 1 << 16

    /// Returns the names of the transcripts of several files. A transcript is named after its file, without the
    /// extension. If two names would be the same, the extension is kept and, if necessary, a number is added.
    static func names(of inputs: [String], _ format: TranscriptFormat) -> [String] {
        let files = inputs.map { $0.split(separator: "/").last.map(String.init) ?? "sound" }
        let stems = files.map { file in
            file.lastIndex(of: ".").flatMap { $0 > file.startIndex ? String(file[..<$0]) : nil } ?? file
        }
        let uses = Dictionary(stems.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
        var taken: Set<String> = []
        return zip(files, stems).map { file, stem in
            let usual = uses[stem.lowercased()] == 1 ? stem : file
            var (name, number) = (usual, 1)
            while !taken.insert(name.lowercased()).inserted {
                number += 1
                name = "\(usual)-\(number)"
            }
            return "\(name).\(format.rawValue)"
        }
    }

    /// Whether a transcript is complete and belongs to this source. The user may have edited it since.
    ///
    /// - Throws: an error if the file was not written by this command, or if it belongs to a different source and was edited.
    func holds(_ output: String, of subject: String) throws -> Bool {
        guard let size = Self.size(output) else { return false }
        let bytes = (try? readWholeFile(record(of: output), limit: Self.longestRecord)) ?? []
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        if lines.first.map(String.init) == Self.line(subject) { return true }
        guard lines.count == 2, lines[1] == "\(size)" else {
            throw CommandFailure(
                .cannotWriteOutput,
                "\(output) already exists and was either edited or not written by this command.",
                "Move the file out of the way, or pass a different folder with -o.")
        }
        return false
    }

    func create() throws {
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw CommandFailure(AudioError.outputNotCreated(path: path, code: errno))
    }

    /// Records that a transcript is complete.
    func note(_ output: String, of subject: String) throws {
        do throws(Errno) {
            mkdir(path.child(Self.records), 0o777)
            let file = try ReplacementFile(at: record(of: output))
            try file.file.writeAll(Array("\(Self.line(subject))\n\(Self.size(output) ?? 0)\n".utf8))
            _ = try file.publish(.whole)
        } catch {
            throw CommandFailure(AudioError.outputNotWritten(name: .file(record(of: output)), code: error.code))
        }
    }

    private func record(of output: String) -> String {
        path.child(Self.records).child(output.split(separator: "/").last.map(String.init) ?? "")
    }

    private static func line(_ subject: String) -> String { subject.replacing("\n", with: " ") }

    private static func size(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}

/// Reports errors while several files are transcribed, and prints a summary at the end. If one file fails, the others
/// are still transcribed.
final class TranscriptReport {
    private let context: CommandContext
    private let isQuiet: Bool
    private let total: Int
    private let folder: String?
    private var (begun, kept) = (0, 0)
    private var failures: [(name: String, failure: CommandFailure)] = []

    /// - Parameter folder: the output folder, or nil for standard output.
    init(_ context: CommandContext, total: Int, folder: String?) {
        self.context = context
        isQuiet = context.arguments[Options.quiet]
        self.total = total
        self.folder = folder
    }

    /// Runs a step of the work for a file. If the step fails, reports the error immediately, or throws it if there is
    /// only one file or if the other files would fail in the same way.
    func attempt(_ name: String, _ work: () throws -> Void) throws {
        do { try work() } catch {
            let failure = CommandFailure(error)
            guard total > 1, ![.interrupted, .usage, .unavailable, .configuration, .audioOrDisk].contains(failure.code)
            else {
                throw failure
            }
            failures.append((name, failure))
            if let message = failure.message { context.printMessage("\(name): \(message)") }
        }
    }

    /// Counts a transcript from an earlier run.
    func keep() { kept += 1 }

    /// Prints a heading with the file's name if several plain-text transcripts are written to standard output.
    func begin(_ name: String, _ format: TranscriptFormat) throws {
        begun += 1
        guard total > 1, folder == nil, format == .txt else { return }
        try context.print(text: (begun > 1 ? "\n" : "") + "==> \(name) <==\n")
    }

    /// The label of the progress line.
    func label(_ name: String) -> String {
        total > 1 ? "\(name) (\(begun + kept + failures.count) of \(total))" : "Listening"
    }

    func conclude() throws {
        if let folder, !isQuiet {
            let made = total - failures.count
            var words = "\(made) \(made == 1 ? "transcript" : "transcripts") in \(folder)"
            if kept > 0 { words += kept == made ? ", all from an earlier run" : ", \(kept) from an earlier run" }
            context.printMessage(words + ".")
        }
        guard let first = failures.first else { return }
        throw CommandFailure(
            first.failure.code,
            failures.count == 1
                ? "\(first.name) was not transcribed." : "\(failures.count) of \(total) files were not transcribed.",
            failures.count < total ? "The other transcripts are complete." : "")
    }
}
