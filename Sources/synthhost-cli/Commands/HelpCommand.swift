import Glibc
import SynthCommandParts
import SynthCommandSyntax
import SynthHost
import SynthSystem
import SynthTerminal

/// `synthhost help GUIDE`. How to use a command is told without reading anything.
struct HelpCommand: Command {
    let context: CommandContext
    let arguments: ParsedArguments

    func run() throws {
        guard let guide = arguments.positionals.first.flatMap(Guide.init(rawValue:)) else { return }
        let folder: String?
        folder = try Installation(executable: context.executable, environment: context.environment).guides
        let text: String
        do throws(Errno) {
            guard let folder else { throw Errno(ENOENT) }
            text = try guide.text(in: folder, width: context.output.width)
        } catch {
            throw CommandFailure(
                .failure, "The guide \"\(guide.rawValue)\" cannot be read: \(error.description).",
                "Install synthhost again; the guides come along.")
        }
        try context.print(text: text)
    }
}
