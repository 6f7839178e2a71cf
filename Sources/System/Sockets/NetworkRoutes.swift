/// The routes of this machine, as the kernel lists them.
package struct NetworkRoutes: Sendable {
    /// Whether a packet for the rest of the world has a way out.
    package let leadOutside: Bool

    /// Of the machine, or of the network namespace that this process is in.
    package static var current: NetworkRoutes {
        func text(_ name: String) -> String? {
            (try? readWholeFile("/proc/net/\(name)", limit: 16 << 20)).map { String(decoding: $0, as: UTF8.self) }
        }
        let (first, second) = (text("route"), text("ipv6_route"))
        // Where nothing is listed, nothing is known.
        guard first != nil || second != nil else { return NetworkRoutes(leadOutside: true) }
        return NetworkRoutes(ipv4: first ?? "", ipv6: second ?? "")
    }

    private init(leadOutside: Bool) { self.leadOutside = leadOutside }

    /// - Parameters:
    ///   - ipv4: of `/proc/net/route`: a heading, then a line for each route. All numbers are hexadecimal.
    ///   - ipv6: of `/proc/net/ipv6_route`, which has no heading.
    package init(ipv4: String, ipv6: String) {
        func flag(_ text: Substring, _ flag: UInt32) -> Bool { UInt32(text, radix: 16).map { $0 & flag != 0 } ?? false }
        func lines(_ text: String) -> [[Substring]] {
            text.split(separator: "\n").map { $0.split { $0 == " " || $0 == "\t" } }
        }
        let isUp: UInt32 = 0x1
        let isReject: UInt32 = 0x200
        let leads4 = lines(ipv4).contains { route in
            route.count >= 8 && route[1] == "00000000" && route[7] == "00000000" && flag(route[3], isUp)
                && !flag(route[3], isReject)
        }
        let leads6 = lines(ipv6).contains { route in
            route.count >= 10 && route[0].allSatisfy { $0 == "0" } && route[1] == "00" && flag(route[8], isUp)
                && !flag(route[8], isReject) && route[9] != "lo"
        }
        leadOutside = leads4 || leads6
    }
}
