import CSynthEngine

/// Files by role, complete and verified. A path stays valid during the call that it was handed to. The file does not
/// change while the process lives.
public struct FileSet: Sendable {
    private var paths: [String: String] = [:]

    init(_ files: UnsafePointer<UnsafePointer<synth_file>?>?, count: Int) {
        for file in UnsafeBufferPointer(start: files, count: files == nil ? 0 : count) {
            guard let file else { continue }
            let known = known(file)
            if let role = known.role, let path = known.path { paths[String(cString: role)] = String(cString: path) }
        }
    }

    /// The absolute path of a role; `nil` if the host did not hand over the file.
    public subscript(role: String) -> String? { paths[role] }

    /// The absolute path of a role. Throws `.missingFile`, which names the role to the host.
    public func path(_ role: String) throws(EngineError) -> String {
        guard let path = paths[role] else {
            throw EngineError(.missingFile, "The file “\(role)” of this voice was not handed over.", role: role)
        }
        return path
    }
}
