import Glibc

/// The names under which other machines in the network reach this machine.
package enum OwnHost {
    /// The address from which this machine would send data to other networks, such as "192.168.1.20", or nil if it has
    /// no route to them. Sends nothing: connecting a UDP socket only chooses a route.
    package static var address: String? {
        let raw = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { return nil }
        let socket = Descriptor(owning: raw)
        // 192.0.2.0/24 is reserved for documentation (RFC 5737), so no network has a special route to it.
        guard let target = try? SystemAddress.addresses(of: "192.0.2.1", 9, passive: false) else { return nil }
        defer { freeaddrinfo(target) }
        guard connect(socket.raw, target.pointee.ai_addr, target.pointee.ai_addrlen) == 0,
            case .tcp(let host, _) = SystemAddress.own(of: socket)
        else { return nil }
        return host
    }

    /// The host name, and the name that multicast DNS adds for the local network, such as ["pc", "pc.local"].
    package static var names: [String] {
        var name = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&name, name.count) == 0,
            let host = String(validating: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
            !host.isEmpty
        else { return [] }
        return host.contains(".") ? [host] : [host, host + ".local"]
    }
}
