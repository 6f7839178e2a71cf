/// Why a Markdown document cannot be read.
package enum MarkdownError: Error, Equatable {
    case script(ScriptError)
    /// The library that reads Markdown is not on this machine, or has not the version that the program was built for. The
    /// reason is the loader's.
    case libraryNotLoaded(library: String, reason: String?)
}
