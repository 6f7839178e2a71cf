import System

/// The users and groups that may write a file, by its POSIX access control list (acl(5)).
///
/// If a file has one, the group bits of its mode are the mask of the list and no longer the group's own.
struct AccessList: Equatable {
    /// The users that the list names.
    private(set) var users: [UInt32] = []
    private(set) var groups: [UInt32] = []
    private(set) var hasOwningGroup = false
    private(set) var hasEverybody = false

    /// nil if the file has none.
    init?(of path: String) throws(Errno) {
        guard let bytes = try extendedAttribute("system.posix_acl_access", of: path) else { return nil }
        self.init(bytes)
    }

    /// - Parameter bytes: as the kernel gives it: a version, then a tag, permissions and an id for each entry. If they
    ///   cannot be understood, everybody is taken to have write access.
    init(_ bytes: [UInt8]) {
        guard bytes.count >= 4, (bytes.count - 4).isMultiple(of: 8), Self.number(bytes[..<4]) == 2 else {
            hasEverybody = true
            return
        }
        let entries = stride(from: 4, to: bytes.count, by: 8).map { start in
            Entry(
                tag: Self.number(bytes[start..<start + 2]),
                mayWrite: Self.number(bytes[start + 2..<start + 4]) & 2 != 0,
                id: Self.number(bytes[start + 4..<start + 8]))
        }
        let isMaskOpen = entries.allSatisfy { $0.tag != 0x10 || $0.mayWrite }
        for entry in entries where entry.mayWrite {
            switch entry.tag {
            case 0x02 where isMaskOpen: users.append(entry.id)
            case 0x04: hasOwningGroup = isMaskOpen
            case 0x08 where isMaskOpen: groups.append(entry.id)
            case 0x20: hasEverybody = true
            default: break
            }
        }
    }

    private struct Entry {
        var tag: UInt32
        var mayWrite: Bool
        var id: UInt32
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
