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
            FileRules(readable: Self.ofNetwork + Self.namedAuthorities, writable: [LinkTarget.folder(of: job.part)])
        case .unpack(let job):
            FileRules(
                readable: [job.archive] + (job.root.map { [$0] } ?? []), writable: [LinkTarget.folder(of: job.folder)])
        case .digest(let job): FileRules(readable: job.files.map(\.path))
        }
    }

    /// How names are found, and whom TLS trusts. By folders: a file that is replaced while a download runs would have no rule.
    private static let ofNetwork = [
        "/etc", "/run/NetworkManager", "/run/connman", "/run/netconfig", "/run/nscd", "/run/resolvconf",
        "/run/systemd/resolve",
        "/var/lib/ca-certificates",
    ]

    /// The authorities that this user has libcurl and OpenSSL trust.
    private static var namedAuthorities: [String] {
        let variables = ProcessEnvironment().variables
        return ["SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "OPENSSL_CONF"].compactMap { variables[$0] }
            .flatMap { $0.split(separator: ":").map(String.init) }
    }
}
