import CommandSyntax
import Documents
import Sentences
import SynthHost
import System

/// A document that was read, with the chapters that the options choose.
struct ReadDocument {
    let document: Document
    let chosen: [(number: Int, chapter: Document.Chapter)]

    /// - Parameter form: nil = the content tells.
    init(
        _ context: CommandContext, _ arguments: ParsedArguments, path: String, _ form: DocumentForm?
    ) throws(CommandFailure) {
        let program: String
        do throws(InstallationError) {
            program = try Installation(executable: context.executable, environment: context.environment).read
        } catch {
            throw CommandFailure(error)
        }
        let file: Descriptor
        do throws(Errno) {
            file = try Descriptor.openRegular(path).file
        } catch {
            throw CommandFailure(SpeechFailure.input(path, error))
        }
        do throws(DocumentFailure) {
            document = try DocumentProgram(path: program, environment: context.childEnvironment).read(
                file, isPage: form == .page)
        } catch {
            throw CommandFailure(.inputMissing, error.message(of: path), error.remedy)
        }
        let choice = arguments[Options.chapters]
        chosen = zip(1..., document.chapters).filter { choice?.contains($0.0) ?? true }.map { ($0.0, $0.1) }
        guard !chosen.isEmpty else {
            let count = document.chapters.count
            throw CommandFailure(
                .usage, "\(path) has no such chapter, but \(count == 1 ? "one" : "the chapters 1 to \(count)").",
                "To see them, type: synthhost book \(ShellWord.quoted(path))")
        }
    }

    /// How long so many words last, by a voice that says 160 in a minute.
    static func seconds(_ words: Int) -> Int { words * 60 / 160 }
}
