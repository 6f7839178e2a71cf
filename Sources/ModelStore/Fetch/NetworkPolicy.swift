/// What the user wants of the network.
package struct NetworkPolicy: Sendable, Hashable {
    /// Then no download starts at all.
    package var isOffline: Bool
    /// A tree of folders named after the hosts that it mirrors, asked before they are. https, or http on loopback.
    package var mirror: String?
    package var patience: Patience

    package init(isOffline: Bool = false, mirror: String? = nil, patience: Patience = Patience()) {
        self.isOffline = isOffline
        self.mirror = mirror
        self.patience = patience
    }

    /// `SYNTHHOST_OFFLINE` (anything but empty and "0") and `SYNTHHOST_MIRROR`.
    package init(environment: [String: String]) {
        let offline = environment["SYNTHHOST_OFFLINE"] ?? ""
        let mirror = environment["SYNTHHOST_MIRROR"] ?? ""
        self.init(isOffline: !offline.isEmpty && offline != "0", mirror: mirror.isEmpty ? nil : mirror)
    }

    /// Where `address` is asked for, in order.
    func addresses(for address: String) throws(FetchFailure) -> [String] {
        guard let mirror else { return [address] }
        if let refusal = WebAddress.refusal(of: mirror) { throw FetchFailure(.refused, "SYNTHHOST_MIRROR: \(refusal)") }
        return [WebAddress.mirrored(address, below: mirror), address].compactMap { $0 }
    }
}
