import SynthSystem

/// Names for messages. The folders of an addition are gone when the user reads them.
extension Addition {
    /// A message or a path in which files have the names that the user knows: what was unpacked is named after its archive.
    package func shown(_ text: String) -> String {
        var text = text
        // An archive may have been in another one.
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
