import SynthCatalogue

/// The user's network settings.
package struct NetworkPolicy: Sendable, Equatable {
    /// Whether downloads are disabled.
    package var isOffline: Bool
    /// The URL of a mirror, which contains a folder for each mirrored host and is tried before the host itself. It must use https,
    /// or http on the loopback interface.
    package var mirror: String?
    package var retries: RetryPolicy

    package init(isOffline: Bool = false, mirror: String? = nil, retries: RetryPolicy = RetryPolicy()) {
        self.isOffline = isOffline
        self.mirror = mirror
        self.retries = retries
    }

    /// Reads `SYNTHHOST_OFFLINE` (set unless empty or "0") and `SYNTHHOST_MIRROR`.
    package init(environment: [String: String]) {
        let offline = environment["SYNTHHOST_OFFLINE"] ?? ""
        let mirror = environment["SYNTHHOST_MIRROR"] ?? ""
        self.init(isOffline: !offline.isEmpty && offline != "0", mirror: mirror.isEmpty ? nil : mirror)
    }

    /// The environment variables that select libcurl's proxy for HTTPS URLs.
    package static func proxies(environment: [String: String]) -> [String: String] {
        let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
        return environment.filter { names.contains($0.key) && !$0.value.isEmpty }.mapValues(withoutCredentials)
    }

    /// Returns a URL for display, with credentials removed. The URL of a proxy may contain a password.
    package static func withoutCredentials(_ address: String) -> String {
        let start = address.firstRange(of: "://")?.upperBound ?? address.startIndex
        let end = address[start...].firstIndex(of: "/") ?? address.endIndex
        guard let at = address[start..<end].lastIndex(of: "@") else { return address }
        return address[..<start] + "…@" + address[address.index(after: at)...]
    }

    /// Returns the URLs to try for the file at `address`, in order.
    func addresses(for address: String) throws(FetchFailure) -> [String] {
        guard let mirror else { return [address] }
        if WebAddress.refusal(of: mirror) != nil { throw .mirror(mirror) }
        return [WebAddress.mirrored(address, below: mirror), address].compactMap { $0 }
    }
}

/// The rules for retrying a download. Times are in seconds, because they are encoded as JSON.
package struct RetryPolicy: Sendable, Equatable, Codable {
    /// The time after which a transfer with too little progress is restarted.
    package var stall: Double
    /// The minimum number of bytes that must arrive within `stall`.
    package var stallBytes: Int64
    /// The maximum number of consecutive attempts without progress.
    package var attempts: Int
    /// The delay before the first retry. It doubles with each retry and is then randomly shortened.
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

    /// Returns the delay before retry `number`, which starts at 1: exponential backoff with full jitter.
    package func wait(before number: Int, chance: Double) -> Double {
        let longest = min(longestWait, firstWait * Double(1 << min(number - 1, 16)))
        return longest * chance
    }

    /// Returns the maximum number of consecutive attempts after a problem. Without a network, or while a host name
    /// cannot be resolved, retrying soon is pointless, and the user is waiting for the result.
    package func attempts(after problem: ServerProblem) -> Int {
        guard case .nameNotFound(let hasNetwork) = problem else { return attempts }
        return min(attempts, hasNetwork ? 2 : 1)
    }
}
