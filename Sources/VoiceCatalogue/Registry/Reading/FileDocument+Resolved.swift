extension FileDocument {
    struct Fault: Error {
        let problem: RegistryProblem

        init(_ problem: RegistryProblem) { self.problem = problem }
    }

    /// The file with its address, digest and name checked.
    func resolved(source: String?, in sources: [String: Source]) throws(Fault) -> ModelFile {
        guard FileName.isRole(role) else { throw Fault(.badRole(role)) }
        let address: String
        let name: String?
        if let path {
            guard FileName.isSafePath(path) else { throw Fault(.badPath(path)) }
            guard let source else { throw Fault(.pathWithoutSource(path)) }
            guard let base = sources[source] else { throw Fault(.unknownSource(source)) }
            address = base.address(of: path)
            name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        } else if let url {
            if let refusal = WebAddress.refusal(of: url) { throw Fault(.badAddress(reason: refusal)) }
            address = url
            name = WebAddress.fileName(of: url)
        } else {
            throw Fault(.noAddress(role: role))
        }
        guard let name, FileName.isSafe(name) else { throw Fault(.namelessAddress(address)) }
        guard size > 0, size <= ModelFile.largestSize else { throw Fault(.badSize(name)) }
        guard let digest = sha256.map({ Digest(.sha256, $0) }) ?? md5.map({ Digest(.md5, $0) }) ?? nil else {
            throw Fault(.noDigest(name))
        }
        return ModelFile(
            role: role, name: name, url: address, size: size, digest: digest, archive: try contents(of: name),
            isOptional: optional ?? false, language: language)
    }

    private func contents(of name: String) throws(Fault) -> ArchiveContents? {
        guard unpacked != nil || roles != nil || members != nil else { return nil }
        guard ArchiveKind(name: name) != nil else { throw Fault(.notAnArchive(name)) }
        guard (unpacked ?? 1) > 0, (unpacked ?? 0) <= ModelFile.largestSize else {
            throw Fault(.badUnpackedSize(name))
        }
        for member in (roles ?? [:]).values.sorted() + (members ?? []) {
            guard FileName.isSafePath(member.hasSuffix("/") ? String(member.dropLast()) : member) else {
                throw Fault(.badMember(member, archive: name))
            }
        }
        for role in (roles ?? [:]).keys.sorted() where !FileName.isRole(role) {
            throw Fault(.badRole(role))
        }
        return ArchiveContents(unpackedSize: unpacked, roles: roles ?? [:], members: members)
    }
}

extension ModelFile {
    /// In bytes; a larger size is taken for a mistake.
    static let largestSize: Int64 = 1 << 40
}
