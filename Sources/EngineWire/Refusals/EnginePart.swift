/// A part of an engine: its file, or something that the loader loads or searches with it.
package enum EnginePart: Equatable, Sendable {
    case file
    /// A folder above its file.
    case folder(String)
    /// A library that it needs, by its path.
    case library(String)
    /// A folder in which the loader looks for libraries, for the engine or for a library by its path.
    case searchFolder(String, for: String?)
    /// The same as it is written in the file, before it is expanded to a path; "" = the working directory.
    case searchElement(String, for: String?)
    /// A library that the engine, or a library by its path, needs by a name that contains a slash.
    case namedLibrary(String, for: String?)
}
