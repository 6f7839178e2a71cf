/// What of an engine is meant: its file, or what the loader takes in with it.
package enum EnginePart: Equatable, Sendable {
    case file
    /// A folder that its file lies in.
    case folder(String)
    /// A library that it needs, by its path.
    case library(String)
    /// A folder in which the loader looks for libraries, for the engine or for a library by its path.
    case searchFolder(String, for: String?)
    /// The same as the file writes it, which is no path yet; "" = the working directory.
    case searchElement(String, for: String?)
    /// A library that the engine, or a library by its path, needs by a name with a place.
    case namedLibrary(String, for: String?)
}
