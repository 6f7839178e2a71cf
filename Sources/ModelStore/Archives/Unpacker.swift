import Glibc
import VoiceCatalogue

/// Unpacks one archive into a folder that it makes.
///
/// libarchive reads; the writing is done here, through the store's own calls: only regular files and folders, each
/// below a folder that was made for this archive alone, each file created new and without following a link. So nothing
/// in an archive can be written through, and modes, owners and times never leave it.
struct Unpacker {
    let files: any StoreFiles
    let limits: ArchiveLimits
    let isCancelled: () -> Bool

    /// - Parameters:
    ///   - archive: the path of the archive; its kind is told by its content.
    ///   - folder: made here; must not exist. After an error it is removed again.
    ///   - contents: what was announced. With `contents.roles`, only those members are kept.
    ///   - isGiven: the user named the archive, so links to it are followed.
    /// - Returns: the paths of the files below `folder`.
    func unpack(
        _ archive: String, to folder: String, announced contents: ArchiveContents, isGiven: Bool = false
    ) throws(ArchiveRefusal) -> [String] {
        do throws(ArchiveRefusal) {
            try perform { () throws(FileFailure) in try files.makeFolder(folder) }
            return try unpackInto(folder, try ArchiveReader(archive, files, isGiven: isGiven), contents)
        } catch {
            try? files.removeAll(folder)
            throw error
        }
    }

    private func unpackInto(
        _ folder: String, _ reader: ArchiveReader, _ contents: ArchiveContents
    ) throws(ArchiveRefusal) -> [String] {
        var written: [String] = []
        var folders: Set<String> = []
        var entries = 0
        var total: Int64 = 0
        let packed = max(reader.packedSize, 1)
        let wanted = contents.roles.isEmpty ? nil : Array(contents.roles.values)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
        defer { buffer.deallocate() }

        while let entry = try reader.next() {
            if isCancelled() { throw .cancelled }
            entries += 1
            guard entries <= limits.entries else { throw .unsafe("it has more than \(limits.entries) entries") }
            let path = try checked(entry)
            guard !path.isEmpty else { continue }
            if let members = contents.members, !ArchiveMembers.covers(members, path, isFolder: entry.isFolder) {
                throw .unsafe("it holds “\(path)”, which was not announced")
            }
            if let wanted, !entry.isFolder, !ArchiveMembers.covers(wanted, path, isFolder: false) { continue }
            if entry.isFolder {
                if wanted == nil { try makeFolders(path, in: folder, &folders) }
                continue
            }
            if let slash = path.lastIndex(of: "/") { try makeFolders(String(path[..<slash]), in: folder, &folders) }
            let target = folder + "/" + path
            let descriptor: Int32
            do throws(FileFailure) {
                descriptor = try files.openFully(target, for: .creating)
            } catch {
                if error.code == EEXIST {
                    throw files.kind(of: target) == .folder ? Self.bothKinds(path) : .unsafe("it holds “\(path)” twice")
                }
                throw .file(error)
            }
            defer { files.close(descriptor) }
            while true {
                if isCancelled() { throw .cancelled }
                let count = try reader.read(into: buffer)
                if count == 0 { break }
                total += Int64(count)
                guard total <= limits.total, total <= packed.multipliedReportingOverflow(by: limits.ratio).partialValue
                else { throw .unsafe("it unpacks to far more than its size") }
                try perform { () throws(FileFailure) in
                    try files.writeFully(descriptor, UnsafeRawBufferPointer(rebasing: buffer[..<count]), of: target)
                }
            }
            try perform { () throws(FileFailure) in try files.syncFully(descriptor, of: target) }
            written.append(path)
        }
        for made in folders.sorted() {
            try perform { () throws(FileFailure) in try files.syncFolder(folder + "/" + made) }
        }
        try perform { () throws(FileFailure) in try files.syncFolder(folder) }
        return written
    }

    /// The entry's path, relative and plain; empty for the archive's own root.
    private func checked(_ entry: ArchiveReader.Entry) throws(ArchiveRefusal) -> String {
        guard let name = entry.path else { throw .unsafe("it holds a name that cannot be read") }
        let shown = String(name.prefix(80))
        guard name.utf8.count <= limits.nameLength else { throw .unsafe("it holds a name of \(name.utf8.count) bytes") }
        guard !name.hasPrefix("/") else { throw .unsafe("it holds the absolute path “\(shown)”") }
        guard !entry.isLink else { throw .unsafe("“\(shown)” in it is a link") }
        guard entry.isFolder || entry.isRegular else { throw .unsafe("“\(shown)” in it is neither file nor folder") }
        let parts = name.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
        guard !parts.contains("..") else { throw .unsafe("it holds the path “\(shown)”, which leads outside") }
        guard parts.count <= limits.depth else { throw .unsafe("it nests more than \(limits.depth) folders") }
        let path = parts.joined(separator: "/")
        guard path.isEmpty || FileName.isSafePath(path) else { throw .unsafe("it holds the name “\(shown)”") }
        if path.isEmpty, !entry.isFolder { throw .unsafe("it holds a file without a name") }
        return path
    }

    private func makeFolders(
        _ path: String, in folder: String, _ made: inout Set<String>
    ) throws(ArchiveRefusal) {
        guard !made.contains(path) else { return }
        if let slash = path.lastIndex(of: "/") { try makeFolders(String(path[..<slash]), in: folder, &made) }
        do throws(FileFailure) {
            try files.makeFolder(folder + "/" + path)
        } catch {
            guard error.code == EEXIST else { throw .file(error) }
            guard files.kind(of: folder + "/" + path) == .folder else { throw Self.bothKinds(path) }
        }
        made.insert(path)
    }

    private static func bothKinds(_ path: String) -> ArchiveRefusal {
        .unsafe("it holds “\(path)” both as a file and as a folder")
    }

    private func perform(_ body: () throws(FileFailure) -> Void) throws(ArchiveRefusal) {
        do throws(FileFailure) { try body() } catch { throw .file(error) }
    }
}
