import VoiceCatalogue

/// What the user wants of the network.
package struct NetworkPolicy: Sendable, Hashable {
    /// Then no download starts at all.
    package var isOffline: Bool
    /// A tree of folders named after the hosts that it mirrors, asked before they are. https, or http on loopback.
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

    /// The variables by which libcurl, which URLSession downloads with, takes a proxy for an https address.
    package static func proxies(environment: [String: String]) -> [String: String] {
        let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        return environment.filter { names.contains($0.key) && !$0.value.isEmpty }.mapValues(withoutCredentials)
    }

    /// An address as it may be shown: a proxy's may hold a password.
    package static func withoutCredentials(_ address: String) -> String {
        let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
        let end = address[start...].firstIndex(of: "/") ?? address.endIndex
        guard let at = address[start..<end].lastIndex(of: "@") else { return address }
        return address[..<start] + "…@" + address[address.index(after: at)...]
    }

    /// Where `address` is asked for, in order.
    func addresses(for address: String) throws(FetchFailure) -> [String] {
        guard let mirror else { return [address] }
        if WebAddress.refusal(of: mirror) != nil { throw .mirror(mirror) }
        return [WebAddress.mirrored(address, below: mirror), address].compactMap { $0 }
    }
}
