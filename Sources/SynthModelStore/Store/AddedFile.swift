import SynthSystem

/// One of the user's files, which will become part of a voice.
package struct AddedFile: Sendable, Equatable {
    /// The file's role, as defined by the engine.
    package let role: String
    package let path: String

    package init(role: String, path: String) {
        self.role = role
        self.path = path
    }

    var name: String { path.split(separator: "/").last.map(String.init) ?? role }
}

/// Rewrites paths in messages, because the addition's temporary folders no longer exist when the user reads a message.
extension Addition {
    /// Replaces paths in a message with names that the user knows: an unpacked file is named after its archive.
    package func shown(_ text: String) -> String {
        var text = text
        // The archive may itself have been unpacked from another archive.
        for _ in 0..<2 {
            for (archive, folder) in unpackedFolders {
                text = text.replacing(folder + "/", with: "\(archive): ").replacing(folder, with: archive)
            }
        }
        return text.replacing(folder + "/", with: "").replacing(folder, with: storeRoot)
    }

    package func shown(_ error: StoreError) -> StoreError {
        switch error {
        case .file(let failure):
            .file(FileFailure(failure.reason, call: failure.call, path: shown(failure.path)))
        case .notUnpacked(let archive, let refusal, let isGiven):
            .notUnpacked(archive: shown(archive), refusal, isGiven: isGiven)
        case .notRead(let path, let cause): .notRead(path: shown(path), cause)
        case .changedWhileRead(let path): .changedWhileRead(path: shown(path))
        case .notThere(let path): .notThere(path: shown(path))
        case .noFile(let ending, let folder): .noFile(ending: ending, folder: shown(folder))
        case .severalFiles(let ending, let folder): .severalFiles(ending: ending, folder: shown(folder))
        default: error
        }
    }
}
