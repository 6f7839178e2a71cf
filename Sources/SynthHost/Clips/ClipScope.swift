/// Which files a name may mean that is no name of a clip.
package enum ClipScope: Hashable, Sendable {
    /// None: for text of unknown origin, such as that of a service.
    case names
    /// Those in this folder and below: for a document that is a local file, with its own folder.
    case below(String)
    /// Any, absolute or from the working directory: for names that the user or the program gives.
    case anywhere
}
