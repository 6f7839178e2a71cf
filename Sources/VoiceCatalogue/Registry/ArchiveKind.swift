/// The supported kinds of archives, recognised by their names.
package enum ArchiveKind: String, CaseIterable {
    case tarBzip2 = ".tar.bz2"
    case tarGzip = ".tar.gz"
    case zip = ".zip"

    package init?(name: String) {
        guard let kind = ArchiveKind.allCases.first(where: { name.lowercased().hasSuffix($0.rawValue) }) else {
            return nil
        }
        self = kind
    }
}
