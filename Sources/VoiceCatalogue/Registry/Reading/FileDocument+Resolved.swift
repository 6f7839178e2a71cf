extension FileDocument {
    struct Fault: Error {
        let problem: String
    }

    /// The file with its address, digest and name checked.
    func resolved(source: String?, in sources: [String: Source]) throws(Fault) -> ModelFile {
        guard FileName.isRole(role) else { throw Fault(problem: "“\(role)” is not a role") }
        let address: String
        let name: String?
        if let path {
            guard FileName.isSafePath(path) else { throw Fault(problem: "“\(path)” is not a plain path") }
            guard let source else { throw Fault(problem: "\(path) has no source") }
            guard let base = sources[source] else { throw Fault(problem: "there is no source \(source)") }
            address = base.address(of: path)
            name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        } else if let url {
            if let refusal = WebAddress.refusal(of: url) { throw Fault(problem: refusal) }
            address = url
            name = WebAddress.fileName(of: url)
        } else {
            throw Fault(problem: "its \(role) has neither path nor url")
        }
        guard let name, FileName.isSafe(name) else { throw Fault(problem: "\(address) cannot name a file") }
        guard size > 0, size <= ModelFile.largestSize else { throw Fault(problem: "\(name) has no possible size") }
        guard let digest = sha256.map({ Digest(.sha256, $0) }) ?? md5.map({ Digest(.md5, $0) }) ?? nil else {
            throw Fault(problem: "\(name) has no sha256 or md5 that can be one")
        }
        return ModelFile(
            role: role, name: name, url: address, size: size, digest: digest, archive: try contents(of: name))
    }

    private func contents(of name: String) throws(Fault) -> ArchiveContents? {
        guard unpacked != nil || roles != nil || members != nil else { return nil }
        guard ArchiveKind(name: name) != nil else { throw Fault(problem: "\(name) is not an archive that is known") }
        guard (unpacked ?? 1) > 0, (unpacked ?? 0) <= ModelFile.largestSize else {
            throw Fault(problem: "\(name) has no possible unpacked size")
        }
        for member in (roles ?? [:]).values.sorted() + (members ?? []) {
            guard FileName.isSafePath(member.hasSuffix("/") ? String(member.dropLast()) : member) else {
                throw Fault(problem: "“\(member)” in \(name) is not a plain path")
            }
        }
        for role in (roles ?? [:]).keys.sorted() where !FileName.isRole(role) {
            throw Fault(problem: "“\(role)” is not a role")
        }
        return ArchiveContents(unpackedSize: unpacked, roles: roles ?? [:], members: members)
    }
}

extension ModelFile {
    /// In bytes; beyond it a size is a slip.
    static let largestSize: Int64 = 1 << 40
}
