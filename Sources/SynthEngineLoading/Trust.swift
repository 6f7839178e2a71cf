import Glibc
import SynthEngineWire
import SynthSystem

/// Checks that only root and the user can modify or replace a file, because loaded code runs with the user's
/// permissions.
struct Trust {
    private let accounts: Accounts
    /// Folders that, along with their parents, have passed the check. Most of an engine's paths share the same parent
    /// folders.
    private var passed: Set<String> = []

    init(accounts: Accounts = .ofSystem) { self.accounts = accounts }

    /// Checks a file or folder and all its parent folders.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - part: the role of the path.
    ///   - isOpen: whether to also reject sticky folders that other users can write to, because those users could add
    ///     files.
    mutating func check(_ path: String, of part: EnginePart = .file, isOpen: Bool = false) throws(Refusal) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            throw Refusal(.cannotBeOpened(Errno.last), of: part)
        }
        try check(status, at: path, of: part, isOpen: isOpen)
        var folder = path[...]
        var above: [String] = []
        while let slash = folder.lastIndex(of: "/"), folder != "/" {
            folder = slash == folder.startIndex ? "/" : folder[..<slash]
            if passed.contains(String(folder)) { break }
            above.append(String(folder))
            guard lstat(String(folder), &status) == 0 else { continue }
            let location = part == .file ? .folder(String(folder)) : part
            try check(status, at: String(folder), of: location, isOpen: false)
        }
        passed.formUnion(above)
    }

    private func check(_ status: stat, at path: String, of part: EnginePart, isOpen: Bool) throws(Refusal) {
        let kind = status.st_mode & S_IFMT
        // Changing a link requires write permission on its folder, which is also checked.
        if kind == S_IFLNK { return }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw Refusal(.ofOtherUser(path), of: part)
        }
        // In a sticky folder, users cannot remove or replace other users' files.
        if kind == S_IFDIR, status.st_mode & S_ISVTX != 0, !isOpen { return }
        let list: AccessList?
        do {
            list = try AccessList(of: path)
        } catch {
            throw Refusal(.unreadableAccessList(error), of: part)
        }
        if status.st_mode & S_IWOTH != 0 || list?.hasEveryone == true {
            let isOthers = status.st_mode & S_ISVTX != 0 || status.st_uid != geteuid()
            throw Refusal(kind == S_IFDIR && isOthers ? .sharedFolder(path) : .writableByAll(path), of: part)
        }
        let mayGroup = list.map(\.hasOwningGroup) ?? (status.st_mode & S_IWGRP != 0)
        if mayGroup, !accounts.isPrivate(status.st_gid, of: status.st_uid) {
            throw Refusal(.writableByGroup(path), of: part)
        }
        guard let list else { return }
        let includesOtherUsers = list.users.contains { $0 != 0 && $0 != geteuid() }
        if includesOtherUsers || list.groups.contains(where: { !accounts.isPrivate($0, of: status.st_uid) }) {
            throw Refusal(.writableByOthers(path), of: part)
        }
    }
}

/// The users and groups that may write to a file, according to its POSIX access control list (acl(5)).
///
/// If a file has an access control list, the group bits of its mode are the list's mask, not the group's permissions.
struct AccessList: Equatable {
    private(set) var users: [UInt32] = []
    private(set) var groups: [UInt32] = []
    private(set) var hasOwningGroup = false
    private(set) var hasEveryone = false

    /// Returns nil if the file has no access control list.
    init?(of path: String) throws(Errno) {
        guard let bytes = try extendedAttribute("system.posix_acl_access", of: path) else { return nil }
        self.init(bytes)
    }

    /// - Parameter bytes: in the kernel's format: a version, then a tag, permissions and an ID for each entry. If they cannot be
    ///   parsed, all users are assumed to have write permission.
    init(_ bytes: [UInt8]) {
        guard bytes.count >= 4, (bytes.count - 4).isMultiple(of: 8), Self.number(bytes[..<4]) == 2 else {
            hasEveryone = true
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
            case 0x20: hasEveryone = true
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

/// The system's users and groups.
struct Accounts: Sendable {
    var user: @Sendable (uid_t) -> (name: String, group: gid_t)?
    /// The group's name and listed members. The list does not include users whose primary group this is.
    var group: @Sendable (gid_t) -> (name: String, members: [String])?
    /// The users whose primary group this is, insofar as they can be listed.
    var users: @Sendable (_ ofGroup: gid_t) -> [String]

    static let ofSystem = Accounts(
        user: { id in getpwuid(id).map { (String(cString: $0.pointee.pw_name), $0.pointee.pw_gid) } },
        group: { id in
            getgrgid(id).map { entry in
                var members: [String] = []
                while let member = entry.pointee.gr_mem[members.count] { members.append(String(cString: member)) }
                return (String(cString: entry.pointee.gr_name), members)
            }
        },
        users: { group in
            // Directory services are not queried, because they may contain hundreds of thousands of users.
            let file = (try? readWholeFile("/etc/passwd", limit: 16 << 20)) ?? []
            return file.split(separator: UInt8(ascii: "\n")).compactMap { line in
                let fields = String(decoding: line, as: UTF8.self).split(
                    separator: ":", omittingEmptySubsequences: false)
                return fields.count > 3 && gid_t(fields[3]) == group ? String(fields[0]) : nil
            }
        })

    /// Whether the group contains only the user. Many distributions create such a group for each user, with the user's name. Write
    /// permission for such a group is harmless.
    func isPrivate(_ group: gid_t, of owner: uid_t) -> Bool {
        guard let user = user(owner), user.group == group, let found = self.group(group) else { return false }
        guard found.name == user.name || group == owner else { return false }
        return (found.members + users(group)).allSatisfy { $0 == user.name }
    }
}
