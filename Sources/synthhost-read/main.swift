import CSynthLinux
import Glibc
import SynthDocuments
import SynthJSON
import SynthScript
import SynthSystem

// Reads the document on standard input and writes its content (`DocumentMessage`). A malicious document could exploit a
// vulnerability in the parsing libraries, so this process drops all privileges that it does not need.

if let program = ConfinedProgram(words: ProcessArguments.texts) { ConfinedStart.become(program) }

let form = ProcessArguments.texts.first.flatMap(DocumentForm.init(rawValue:))
// Load the library before this process is confined, because it cannot open files afterward. If the library is missing,
// Markdown is read as plain text.
if form == .markdown { _ = try? MarkdownScript.loadLibrary() }
DocumentReader.open()
linux_harden()
// The largest documents need one minute of CPU time and 1.3 GB of memory. The parent process enforces stricter limits
// than these.
linux_limit_work(600, 2 << 30)
linux_keep_private()
// Deny all access to files, because the document is already open.
_ = Confinement(FileRules()).apply()

let output = Descriptor(owning: STDOUT_FILENO)

@MainActor func say(_ message: DocumentMessage) {
    guard let node = try? JSONNode(encoding: message),
        (try? output.writeAll(Array((JSONWriter.line(of: node) + "\n").utf8))) != nil
    else { _exit(1) }
}

do {
    try DocumentReader.read(
        file: STDIN_FILENO, facts: PDFProgram.factsNumber, as: form,
        Set(ProcessArguments.texts.compactMap(DocumentExtra.init(rawValue:)))
    ) { say($0) }
    say(.done)
} catch {
    say(.failed(error))
}

/// Replaces this process with a third-party program, which inherits the confinement.
enum ConfinedStart {
    static func become(_ program: ConfinedProgram) -> Never {
        let path = ProcessEnvironment.program(program.name)
        // Programs that read the same file need separate file positions.
        guard let path, let file = try? Descriptor.open("/proc/self/fd/0", O_RDONLY),
            dup2(file.raw, STDIN_FILENO) == STDIN_FILENO
        else { _exit(ConfinedProgram.missing) }
        linux_harden()
        linux_limit_work(program.limits.seconds, program.limits.bytes)
        linux_keep_private()
        setenv("HOME", "/", 1)
        // This variable would make ffmpeg write a report file.
        unsetenv("FFREPORT")
        _ = Confinement(FileRules(readable: program.readable, runnable: [path])).apply()
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + program.arguments).map { word in strdup(word) }
        words.append(nil)
        execv(path, &words)
        _exit(ConfinedProgram.missing)
    }
}
