import VoiceCatalogue

/// The user's settings for the network.
package struct NetworkPolicy: Sendable, Hashable {
    /// If set, no download starts.
    package var isOffline: Bool
    /// The address of a mirror: a tree of folders, one for each host, that is asked before the host. https, or http on
    /// loopback.
    package var mirror: String?
    package var retries: RetryPolicy

    package init(isOffline: Bool = false, mirror: String? = nil, retries: RetryPolicy = RetryPolicy()) {
        self.isOffline = isOffline
        self.mirror = mirror
        self.retries = retries
    }

    /// `SYNTHHOST_OFFLINE` (anything but empty and "0") and `SYNTHHOST_MIRROR`.
    package init(environment: [String: String]) {
        let offline = environment["SYNTHHOST_OFFLINE"] ?? ""
        let mirror = environment["SYNTHHOST_MIRROR"] ?? ""
        self.init(isOffline: !offline.isEmpty && offline != "0", mirror: mirror.isEmpty ? nil : mirror)
    }

    /// The variables that choose a proxy for an https address in libcurl.
    package static func proxies(environment: [String: String]) -> [String: String] {
        let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        return environment.filter { names.contains($0.key) && !$0.value.isEmpty }.mapValues(withoutCredentials)
    }

    /// An address as it may be shown: that of a proxy may contain a password.
    package static func withoutCredentials(_ address: String) -> String {
        let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
        let end = address[start...].firstIndex(of: "/") ?? address.endIndex
        guard let at = address[start..<end].lastIndex(of: "@") else { return address }
        return address[..<start] + "…@" + address[address.index(after: at)...]
    }

    /// The addresses to ask for the file at `address`, in order.
    func addresses(for address: String) throws(FetchFailure) -> [String] {
        guard let mirror else { return [address] }
        if WebAddress.refusal(of: mirror) != nil { throw .mirror(mirror) }
        return [WebAddress.mirrored(address, below: mirror), address].compactMap { $0 }
    }
}
