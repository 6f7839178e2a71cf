import SynthCatalogue

/// The user's settings for the network.
package struct NetworkPolicy: Sendable, Equatable {
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

/// How long a download waits and how often it tries. In seconds, because it travels as JSON.
package struct RetryPolicy: Sendable, Equatable, Codable {
    /// If nothing useful arrives for this long, it asks again.
    package var stall: Double
    /// At least this many bytes must arrive within `stall`.
    package var stallBytes: Int64
    /// The number of attempts in a row without progress.
    package var attempts: Int
    /// The first wait between two attempts. Each later one is twice as long, and shortened at random.
    package var firstWait: Double
    package var longestWait: Double

    package init(
        stall: Double = 30, stallBytes: Int64 = 4096, attempts: Int = 5, firstWait: Double = 1, longestWait: Double = 30
    ) {
        self.stall = stall
        self.stallBytes = stallBytes
        self.attempts = attempts
        self.firstWait = firstWait
        self.longestWait = longestWait
    }

    /// The wait before attempt `number` (the first repetition is 1): full jitter over an exponential.
    package func wait(before number: Int, chance: Double) -> Double {
        let longest = min(longestWait, firstWait * Double(1 << min(number - 1, 16)))
        return longest * chance
    }

    /// How many attempts in a row a problem is worth. Without a network, and while a name is not found, waiting for a
    /// while changes nothing, and somebody waits for the answer.
    package func attempts(after problem: ServerProblem) -> Int {
        guard case .nameNotFound(let hasNetwork) = problem else { return attempts }
        return min(attempts, hasNetwork ? 2 : 1)
    }
}
