import Testing

@testable import SynthEngineLoading

@Suite("Access control lists")
struct AccessListTests {
    /// An access control list in the kernel's format (acl(5), `posix_acl_xattr.h`).
    private static func bytes(_ entries: [(tag: UInt8, permissions: UInt8, id: UInt32)]) -> [UInt8] {
        var bytes: [UInt8] = [2, 0, 0, 0]
        for entry in entries {
            bytes += [entry.tag, 0, entry.permissions, 0]
            for place in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: entry.id >> (place * 8))) }
        }
        return bytes
    }

    private static let nobody: UInt32 = 65_534
    private static let none: UInt32 = .max

    @Test("The users and groups with write access are listed")
    func writers() {
        let list = AccessList(
            Self.bytes([
                (1, 6, Self.none), (2, 6, Self.nobody), (2, 4, 7), (4, 6, Self.none), (8, 2, 100), (8, 5, 101),
                (0x10, 7, Self.none), (0x20, 4, Self.none),
            ]))
        #expect(list.users == [Self.nobody] && list.groups == [100] && list.hasOwningGroup && !list.hasEveryone)
    }

    @Test("The mask limits the permissions of users and groups")
    func mask() {
        let list = AccessList(
            Self.bytes([
                (1, 6, Self.none), (2, 6, Self.nobody), (4, 6, Self.none), (8, 6, 100), (0x10, 5, Self.none),
                (0x20, 4, Self.none),
            ]))
        #expect(list.users.isEmpty && list.groups.isEmpty && !list.hasOwningGroup && !list.hasEveryone)
    }

    @Test(
        "An unreadable list is treated as world-writable",
        arguments: [[], [3, 0, 0, 0], [2, 0, 0, 0, 1]] as [[UInt8]])
    func strange(bytes: [UInt8]) { #expect(AccessList(bytes).hasEveryone) }
}
