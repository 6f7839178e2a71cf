import FoundationEssentials

/// The rules for download addresses: `https`, and `http` only on the local machine.
package enum WebAddress {
    /// The reason why nothing is downloaded from `address`, or `nil`.
    package static func refusal(of address: String) -> String? {
        guard address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), let url = URL(string: address),
            let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty
        else { return "“\(address)” is not a web address" }
        if url.user != nil || url.password != nil { return "“\(address)” carries a user name or a password" }
        switch scheme {
        case "https": return nil
        case "http" where isLoopback(host): return nil
        default: return "“\(address)” is not an https address"
        }
    }

    /// Whether a server at `old` may redirect to `new`: never from https to http.
    package static func mayRedirect(from old: String, to new: String) -> Bool {
        guard refusal(of: new) == nil else { return false }
        return !old.lowercased().hasPrefix("https:") || new.lowercased().hasPrefix("https:")
    }

    static func isLoopback(_ host: String) -> Bool {
        let name = host.lowercased()
        if name == "localhost" || name == "::1" || name == "[::1]" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The same file on a mirror, a tree of folders named after the hosts that it mirrors.
    package static func mirrored(_ address: String, below mirror: String) -> String? {
        guard let end = address.firstRange(of: "://") else { return nil }
        return mirror + (mirror.hasSuffix("/") ? "" : "/") + address[end.upperBound...]
    }

    /// The path of a URL for a path in plain text. Slashes stay.
    static func percentEncoded(_ path: String) -> String {
        let hexadecimal = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(path.utf8.count)
        for byte in path.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x2f, 0x5f, 0x7e: encoded.append(byte)
            default: encoded += [0x25, hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// The file name at the end of `address`, or `nil` if it does not end with a valid one.
    static func fileName(of address: String) -> String? {
        guard let url = URL(string: address), !url.path.hasSuffix("/") else { return nil }
        let name = url.lastPathComponent
        guard FileName.isSafe(name) else { return nil }
        return name
    }
}
