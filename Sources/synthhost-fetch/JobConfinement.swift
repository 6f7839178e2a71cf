import CLinux
import ModelStore
import System

extension FetchJob {
    /// Leaves this process only what the job needs: a server, or whoever made an archive, may have found a fault in the libraries
    /// that read what they send. What the kernel does not offer is done without.
    func confine() {
        linux_harden()
        _ = Confinement(files, mayConnect: mayConnect).apply()
    }

    private var mayConnect: Bool { if case .download = self { true } else { false } }

    private var files: FileRules {
        switch self {
        case .download(let job):
            FileRules(readable: Self.ofNetwork + Self.namedAuthorities, writable: [Self.folder(of: job.part)])
        case .unpack(let job):
            FileRules(
                readable: [job.archive] + (job.root.map { [$0] } ?? []), writable: [Self.folder(of: job.folder)])
        case .digest(let job): FileRules(readable: job.files.map(\.path))
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// How names are found, and whom TLS trusts.
    private static let ofNetwork =
        [
            "ca-certificates", "ca-certificates.conf", "crypto-policies", "gai.conf", "gnutls", "host.conf", "hosts",
            "nsswitch.conf", "pki",
            "resolv.conf", "services", "ssl",
        ].map { "/etc/\($0)" } + ["/run/systemd/resolve", "/run/NetworkManager", "/run/resolvconf", "/run/nscd"]

    /// The authorities that this user has libcurl and OpenSSL trust.
    private static var namedAuthorities: [String] {
        let variables = ProcessEnvironment().variables
        return ["SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "OPENSSL_CONF"].compactMap { variables[$0] }
            .flatMap { $0.split(separator: ":").map(String.init) }
    }
}
