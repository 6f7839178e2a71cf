/// What may name a file or folder below the store's root.
enum FileName {
    static let longestInBytes = 200

    /// One component that cannot leave its folder and collides with none of the store's own names.
    static func isSafe(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= longestInBytes && !name.hasPrefix(".")
            && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f && $0 != 0x2f }
            && !name.hasSuffix(StoreLayout.partSuffix) && !name.hasSuffix(StoreLayout.unpackedSuffix)
            && !name.hasSuffix(StoreLayout.tagSuffix) && name != StoreLayout.recordName
    }

    /// An id: `[A-Za-z0-9._+-]+`, not hidden.
    static func isID(_ id: String) -> Bool {
        !id.isEmpty && id.utf8.count <= longestInBytes && !id.hasPrefix(".")
            && id.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x2e, 0x5f: true
                default: false
                }
            }
    }

    /// A role: `[a-z0-9-]+`, as an engine names it.
    static func isRole(_ role: String) -> Bool {
        !role.isEmpty && role.utf8.count <= 64
            && role.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d }
    }

    /// A relative path whose every component is a plain name.
    static func isSafePath(_ path: String) -> Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && $0 != "." && $0 != ".." && $0.utf8.count <= 255
                && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        }
    }
}
