import Glibc
import System

/// The users and groups of the system.
struct Accounts: Sendable {
    var user: @Sendable (uid_t) -> (name: String, group: gid_t)?
    /// The members do not include the users whose primary group it is.
    var group: @Sendable (gid_t) -> (name: String, members: [String])?
    /// Users whose primary group it is, as far as they can be listed.
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
            // A directory service is not listed: it may have a hundred thousand users.
            let file = (try? readWholeFile("/etc/passwd", limit: 16 << 20)) ?? []
            return file.split(separator: UInt8(ascii: "\n")).compactMap { line in
                let fields = String(decoding: line, as: UTF8.self).split(
                    separator: ":", omittingEmptySubsequences: false)
                return fields.count > 3 && gid_t(fields[3]) == group ? String(fields[0]) : nil
            }
        })

    /// Whether the group is the user's alone. Many distributions give each user such a group, named like the user.
    /// Write access for it is harmless.
    func isPrivate(_ group: gid_t, of owner: uid_t) -> Bool {
        guard let user = user(owner), user.group == group, let found = self.group(group) else { return false }
        guard found.name == user.name || group == owner else { return false }
        return (found.members + users(group)).allSatisfy { $0 == user.name }
    }
}
