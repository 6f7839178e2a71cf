import CSynthLinux
import Glibc
import SynthArchives
import SynthCatalogue
import SynthJSON
import SynthModelStore
import SynthSystem

// Reads a FetchJob from standard input and writes FetchEvents to standard output. The program exits when the job ends
// or the parent process exits.

// Makes a write beyond the file size limit fail instead of killing the program.
signal(SIGXFSZ, SIG_IGN)
linux_harden()
linux_keep_private()

let reporter = Reporter(Descriptor(owning: STDOUT_FILENO))

guard let line = readLine(strippingNewline: true),
    let job = try? JSONReader.read(Array(line.utf8)).decode(FetchJob.self)
else {
    let words =
        "synthhost starts synthhost-fetch to download files. To download a voice, type: synthhost models pull VOICE\n"
    try? Descriptor(owning: STDERR_FILENO).writeAll(Array(words.utf8))
    exit(64)
}
job.confine()
ParentWatch.start()

let archives = ArchiveWork()
do throws(FetchFailure) {
    switch job {
    case .download(let job):
        guard !NetworkPolicy(environment: ProcessEnvironment().variables).isOffline else { throw .offline }
        var download = try Download(job, reporter)
        try download.run()
        archives.finish(job, say: reporter.send)
    case .unpack(let job): try archives.run(job, say: reporter.send)
    case .digest(let job): archives.run(job, say: reporter.send)
    }
    reporter.send(.done)
    exit(0)
} catch {
    reporter.send(.failed(error))
    exit(1)
}

/// Exits this process when its parent exits, so that it does not continue to write to the store.
enum ParentWatch {
    static func start() {
        startThread("parent") {
            var byte: UInt8 = 0
            while let count = try? Errno.check({ read(STDIN_FILENO, &byte, 1) }), count > 0 {}
            _exit(1)
        }
    }
}

extension FetchJob {
    /// Restricts this process to the job's needs, because a malicious server or archive could exploit a vulnerability
    /// in a library that parses its data. Restrictions that the kernel does not support are skipped. Call
    /// `linux_harden` first.
    func confine() {
        _ = Confinement(files, network: network).apply()
    }

    private var network: Confinement.Network {
        guard case .download(let job) = self else { return .none }
        return .ports(Self.usualPorts + job.urls.compactMap(WebAddress.port) + Self.proxyPorts)
    }

    /// The ports of DNS (TCP, for responses that are too long for UDP) and HTTPS, and the default port of proxies.
    private static let usualPorts: [UInt16] = [53, WebAddress.httpsPort, 1080]

    /// The ports in values such as `http://proxy:3128/`.
    private static var proxyPorts: [UInt16] {
        ProcessEnvironment().variables.filter { $0.key.lowercased().hasSuffix("_proxy") }.values.compactMap { address in
            let hostAndPort = (address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...])
                .prefix { $0 != "/" }
            return hostAndPort.lastIndex(of: ":").flatMap { UInt16(hostAndPort[hostAndPort.index(after: $0)...]) }
        }
    }

    private var files: FileRules {
        switch self {
        case .download(let job):
            // Allow the entire folder of each `/proc` file, because the kernel creates a new inode for each lookup, and
            // a rule for the file itself would not apply.
            FileRules(
                readable: Self.namedAuthorities + NetworkRoutes.files.map(LinkTarget.folder),
                writable: [LinkTarget.folder(of: job.part)])
        case .unpack(let job):
            FileRules(
                readable: [job.archive] + (job.root.map { [$0] } ?? []), writable: [LinkTarget.folder(of: job.folder)])
        case .digest(let job): FileRules(readable: job.files.map(\.path))
        }
    }

    /// The certificate authorities from libcurl's and OpenSSL's environment variables.
    private static var namedAuthorities: [String] {
        let variables = ProcessEnvironment().variables
        return ["SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE", "OPENSSL_CONF"].compactMap { variables[$0] }
            .flatMap { $0.split(separator: ":").map(String.init) }
    }
}
