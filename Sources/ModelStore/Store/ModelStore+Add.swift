import Glibc

extension ModelStore {
    /// Copies the user's own files into the store as a voice.
    ///
    /// - Parameter path: a file (the others that it needs lie beside it and begin with the same name), a folder that
    ///   holds one voice, or an archive of one.
    ///   A voice of the same id that was added before is replaced.
    /// - Throws: `.unknown` when the files are not there, or the id is an installed voice's of a registry. Whether a
    ///   registry has it otherwise is the caller's to ask.
    package func add(_ path: String, as voice: AddedVoice) async throws(StoreError) -> InstalledVoice {
        try await blocking { () throws(StoreError) in try self.addBlocking(path, voice) }
    }

    private func addBlocking(_ path: String, _ voice: AddedVoice) throws(StoreError) -> InstalledVoice {
        guard FileName.isID(voice.id) else {
            throw StoreError(
                .unknown, "“\(voice.id)” cannot be an id.", remedy: "Use letters, digits and . _ + - only.")
        }
        if let known = current(voice.id), known.record.origin != .user {
            throw StoreError(
                .unknown, "\(voice.id) is a voice of the registry already.", remedy: "Choose another id: --id NAME")
        }
        guard let kind = files.kind(of: path) else {
            throw StoreError(.unknown, "\(path) is not there.", remedy: "Look at its name: ls '\(path)'")
        }
        let lock = try lock(voice.id)
        defer { withExtendedLifetime(lock) {} }
        let entry = root + "/" + voice.id
        let unpacked = entry + "/added" + StoreLayout.partSuffix
        defer { try? files.removeAll(unpacked) }
        try perform { () throws(FileFailure) in try files.removeAll(unpacked) }
        let sources: [(role: String, path: String)]
        if kind == .folder {
            sources = try choose(from: try allFiles(below: path), in: path, voice)
        } else if ArchiveKind(name: path) != nil {
            let members = try unpackAdded(path, to: unpacked)
            sources = try choose(from: members, in: unpacked, voice)
        } else {
            sources = try choose(from: try companions(of: path, voice), in: files.parent(of: path), voice)
        }
        try copy(sources, into: entry, voice)
        guard let added = installedVoice(folder: voice.id) else {
            throw StoreError(.file, "\(voice.id) is not whole after all.", remedy: "Run the same command again.")
        }
        return added
    }

    /// Unpacks an archive of the user's into a fresh folder of the store, for a look at what is in it.
    ///
    /// - Returns: the folder; `removeUnpacked` removes it.
    package func unpackOwn(_ path: String) throws(StoreError) -> String {
        let folder = root + "/own-\(getpid())" + StoreLayout.partSuffix
        try perform { () throws(FileFailure) in
            try files.removeAll(folder)
            try files.makeFolders(root)
        }
        do throws(StoreError) {
            _ = try unpackAdded(path, to: folder)
        } catch {
            removeUnpacked(folder)
            throw error
        }
        return folder
    }

    package func removeUnpacked(_ folder: String) { try? files.removeAll(folder) }

    private func unpackAdded(_ path: String, to folder: String) throws(StoreError) -> [String] {
        do throws(ArchiveRefusal) {
            return try Unpacker(files: files, limits: limits) { false }
                .unpack(path, to: folder, announced: ArchiveContents())
        } catch {
            if case .file(let failure) = error { throw failure.asStoreError }
            throw StoreError(
                .wrongContent, "\(path) was not unpacked: \(error.reason).", remedy: "Unpack it, and add the folder.")
        }
    }

    /// One file for each role, each role once.
    private func choose(
        from names: [String], in folder: String, _ voice: AddedVoice
    ) throws(StoreError) -> [(role: String, path: String)] {
        var found: [String: [String]] = [:]
        for name in names.sorted() {
            if let role = voice.role(of: name) { found[role, default: []].append(name) }
        }
        var chosen: [(role: String, path: String)] = []
        for (ending, role) in voice.roles.sorted(by: { $0.key < $1.key }) {
            switch found[role]?.count ?? 0 {
            case 1: chosen.append((role, folder + "/" + (found[role]?[0] ?? "")))
            case 0:
                throw StoreError(
                    .unknown, "There is no file that ends in \(ending) in \(folder).",
                    remedy: "Put it beside the others, then run the same command.")
            default:
                throw StoreError(
                    .unknown, "Several files in \(folder) end in \(ending).", remedy: "Name the one that is meant.")
            }
        }
        return chosen
    }

    /// The file, and those beside it that begin with the same name.
    private func companions(of path: String, _ voice: AddedVoice) throws(StoreError) -> [String] {
        let folder = files.parent(of: path)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let ending = voice.roles.keys.filter { name.hasSuffix($0) }.max { $0.utf8.count < $1.utf8.count } ?? ""
        let stem = name.dropLast(ending.count)
        let wanted = Set(voice.roles.keys.map { stem + $0 })
        return ((try? files.names(in: folder)) ?? []).filter { wanted.contains($0[...]) }
    }

    private func allFiles(below folder: String, _ prefix: String = "", depth: Int = 4) throws(StoreError) -> [String] {
        var found: [String] = []
        for name in (try? files.names(in: folder + "/" + prefix)) ?? [] {
            switch files.kind(of: folder + "/" + prefix + name) {
            case .regular: found.append(prefix + name)
            case .folder where depth > 0: found += try allFiles(below: folder, prefix + name + "/", depth: depth - 1)
            default: continue
            }
        }
        return found
    }

    private func copy(
        _ sources: [(role: String, path: String)], into entry: String, _ voice: AddedVoice
    ) throws(StoreError) {
        let revision = "added-\(now)-\(getpid())"
        let folder = entry + "/" + revision
        let old = ((try? files.names(in: entry)) ?? []).filter { FileName.isID($0) && $0 != revision }
        do throws(FileFailure) {
            try files.makeFolders(folder)
            var recorded: [StoreRecord.File] = []
            for source in sources {
                let name = source.path.split(separator: "/").last.map(String.init) ?? source.role
                try copyFile(source.path, to: folder + "/" + name)
                guard let digest = try FileDigest.compute(.sha256, of: folder + "/" + name, files) else {
                    throw FileFailure(code: EIO, call: "read", path: source.path)
                }
                let size = try files.status(of: folder + "/" + name).size
                recorded.append(StoreRecord.File(role: source.role, path: name, size: size, digest: digest))
            }
            try StoreRecord(origin: .user, installed: now, voice: voice.document, files: recorded)
                .write(in: folder, files)
            for name in old { try files.removeAll(entry + "/" + name) }
        } catch {
            try? files.removeAll(folder)
            throw error.asStoreError
        }
    }

    private func copyFile(_ path: String, to other: String) throws(FileFailure) {
        let input = try files.openFully(path, for: .reading)
        defer { files.close(input) }
        let output = try files.openFully(other, for: .creating)
        defer { files.close(output) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = try files.readFully(input, into: buffer, of: path)
            if count == 0 { break }
            try files.writeFully(output, UnsafeRawBufferPointer(rebasing: buffer[..<count]), of: other)
        }
        try files.syncFully(output, of: other)
    }
}
