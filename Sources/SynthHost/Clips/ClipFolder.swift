import SynthAudio
import System

/// The sound files of a folder, each a clip that has its name without the ending.
struct ClipFolder: Sendable {
    private let path: String
    /// The names of files by their names without the ending, in order.
    private let files: [String: [String]]

    /// - Throws: `folder` if it cannot be read.
    init(path: String) throws(ClipNameError) {
        self.path = path
        do throws(Errno) {
            var files: [String: [String]] = [:]
            for name in try FolderListing.read(path).sorted() {
                if !name.hasPrefix("."), let stem = ClipEnding.stem(of: name) { files[stem, default: []].append(name) }
            }
            self.files = files
        } catch {
            throw .folder(path, error)
        }
    }

    var names: [String] { files.keys.sorted() }

    /// The file of a name, with or without its ending; nil = there is none.
    ///
    /// - Throws: `several`.
    func file(named name: String) throws(ClipNameError) -> ClipFile? {
        if let found = files[name] {
            guard found.count == 1 else { throw .several(name, files: found.map(place(of:))) }
            return ClipFile(path: place(of: found[0]))
        }
        if let stem = ClipEnding.stem(of: name), files[stem]?.contains(name) == true {
            return ClipFile(path: place(of: name))
        }
        return nil
    }

    private func place(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }
}
