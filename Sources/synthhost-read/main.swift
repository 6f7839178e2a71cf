import CSynthLinux
import Glibc
import SynthDocumentReading
import SynthDocuments
import SynthJSON
import SynthMarkup
import SynthSystem

// Reads the document on standard input and writes what is in it (`DocumentMessage`). Whoever made the document may have found a fault in
// the libraries that read it, so this process keeps nothing that one could use.

let form = ProcessArguments.texts.first.flatMap(DocumentForm.init(rawValue:))
// Before the document is looked at, and as long as files can be opened. Without it, Markdown is read as plain text.
if form == .markdown { try? MarkdownScript.open() }
DocumentReader.open()
linux_harden()
// The largest documents take a minute and 1.3 GB. The program that started this one keeps closer limits as long as it runs.
linux_limit_work(600, 2 << 30)
linux_keep_private()
// No file is handed over: the document is open already.
_ = Confinement(FileRules()).apply()

let output = Descriptor(owning: STDOUT_FILENO)

@MainActor func say(_ message: DocumentMessage) {
    guard let node = try? JSONNode(encoding: message),
        (try? output.writeAll(Array((JSONWriter.line(of: node) + "\n").utf8))) != nil
    else { _exit(1) }
}

do {
    try DocumentReader.read(
        file: STDIN_FILENO, as: form, Set(ProcessArguments.texts.compactMap(DocumentExtra.init(rawValue:)))
    ) { say($0) }
    say(.done)
} catch {
    say(.failed(error))
}
