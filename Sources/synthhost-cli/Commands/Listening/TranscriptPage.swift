import Glibc
import SynthAudio
import SynthCommandParts
import SynthCommandSyntax
import SynthListening
import SynthSentences
import SynthSystem
import SynthTerminal

/// What a transcript is written to: standard output, a pipe or a device as it comes, or a file that gets its name when it is
/// whole, with a journal beside it meanwhile.
final class TranscriptPage {
    private let context: CommandContext
    private let output: String?
    private let journal: TranscriptJournal?
    private var form: TranscriptText
    private var sentences: TranscriptSentences
    /// The file, and what it will hold.
    private var file: ReplacementFile?
    private var text = ""
    /// A pipe or a device that is written in place.
    private let stream: Descriptor?
    /// How many pieces are there.
    private(set) var pieces = 0

    /// - Parameters:
    ///   - rate: frames a second.
    ///   - output: nil = standard output.
    ///   - subject: what is understood, for the journal; nil = it cannot be had again, so none is kept.
    /// - Throws: if it cannot be written.
    init(
        _ context: CommandContext, _ format: TranscriptFormat, rate: UInt32, _ output: String?, _ subject: String?
    ) throws {
        self.context = context
        form = TranscriptText(format, rate: rate)
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
                    .tryAgain, "Another process writes \"\(output)\" now.",
                    "Wait until it has ended, then run the same command again.")
            }
            throw CommandFailure(AudioError.outputNotCreated(path: output, code: error.code))
        }
        try begin()
        for piece in journal?.pieces ?? [] { try take(piece) }
    }

    /// Of another sound, or another model, there is another one, so that nothing is lost by a mistyped command.
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
        for sentence in sentences.add(piece) { try write(form.add(sentence)) }
    }

    private func writeRest() throws {
        for sentence in sentences.finish() { try write(form.add(sentence)) }
        try write(form.finish())
    }

    private func write(_ new: String) throws {
        if new.isEmpty { return }
        if output == nil { return try context.print(text: new) }
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

    /// Everything came, or all that can ever come.
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

    /// It is given up for now. What was understood is kept.
    func leave() {
        if pieces == 0 { journal?.remove() }
        // The reader of a stream gets what there is.
        if output == nil || stream != nil { try? writeRest() }
    }

    /// "the text so far is kept"; nil = nothing is.
    var keptWords: String? { journal != nil && pieces > 0 ? "the text so far is kept" : nil }

    func interruption() -> CommandFailure {
        leave()
        return CommandFailure(
            .interrupted, "Stopped.",
            keptWords == nil ? "" : "Run the same command again to continue.")
    }
}
