import EngineWire
import Glibc
import System

/// Checks that only the superuser and the user can write or replace a file: code runs with the rights of the user that
/// loads it.
struct Trust {
    private let accounts: Accounts
    /// Folders that passed the check with all folders above them. The paths of one engine share most of them.
    private var passed: Set<String> = []

    init(accounts: Accounts = .ofSystem) { self.accounts = accounts }

    /// Checks a file or folder, and all folders above it.
    /// - Parameters:
    ///   - path: absolute.
    ///   - part: what the path is for.
    ///   - isOpen: a name that does not exist yet counts as well, so even a sticky folder that others can write is
    ///     refused.
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
            let place = part == .file ? .folder(String(folder)) : part
            try check(status, at: String(folder), of: place, isOpen: false)
        }
        passed.formUnion(above)
    }

    private func check(_ status: stat, at path: String, of part: EnginePart, isOpen: Bool) throws(Refusal) {
        let kind = status.st_mode & S_IFMT
        // Changing a link needs write access to its folder, which is checked as well.
        if kind == S_IFLNK { return }
        guard status.st_uid == 0 || status.st_uid == geteuid() else {
            throw Refusal(.ofOtherUser(path), of: part)
        }
        // In a sticky folder users cannot remove or replace files of others.
        if kind == S_IFDIR, status.st_mode & S_ISVTX != 0, !isOpen { return }
        let list: AccessList?
        do throws(Errno) {
            list = try AccessList(of: path)
        } catch {
            throw Refusal(.unreadableAccessList(error), of: part)
        }
        if status.st_mode & S_IWOTH != 0 || list?.hasEverybody == true {
            let isOthers = status.st_mode & S_ISVTX != 0 || status.st_uid != geteuid()
            throw Refusal(kind == S_IFDIR && isOthers ? .sharedFolder(path) : .writableByAll(path), of: part)
        }
        let mayGroup = list.map(\.hasOwningGroup) ?? (status.st_mode & S_IWGRP != 0)
        if mayGroup, !accounts.isPrivate(status.st_gid, of: status.st_uid) {
            throw Refusal(.writableByGroup(path), of: part)
        }
        guard let list else { return }
        let strangers = list.users.contains { $0 != 0 && $0 != geteuid() }
        if strangers || list.groups.contains(where: { !accounts.isPrivate($0, of: status.st_uid) }) {
            throw Refusal(.writableByOthers(path), of: part)
        }
    }
}
