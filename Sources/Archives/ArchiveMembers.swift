/// Lists of members: names of files, and names of folders (they end in a slash) with everything below.
enum ArchiveMembers {
    static func covers(_ list: [String], _ path: String, isFolder: Bool) -> Bool {
        list.contains { member in
            if member == path || member.hasSuffix("/") && (path + "/" == member || path.hasPrefix(member)) {
                return true
            }
            return isFolder && member.hasPrefix(path + "/")
        }
    }
}
