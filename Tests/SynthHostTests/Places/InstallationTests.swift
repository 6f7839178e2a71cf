import Foundation
import Testing
import TestSupport

@testable import SynthHost

@Suite("The installation")
struct InstallationTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    private func place(_ name: String, mode: Int = 0o755) throws {
        try home.write("", to: name)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: home.file(name))
    }

    @Test("is found beside the program, in its prefix, or in SYNTHHOST_PREFIX")
    func places() throws {
        try place("build/synthhost-worker")
        let build = try Installation(executable: home.file("build/synthhost"), environment: [:])
        #expect(build.worker == home.file("build/synthhost-worker"))
        #expect(build.plugins.last == home.file("build"))

        try place("opt/bin/synthhost")
        try place("opt/lib/synthhost/synthhost-worker")
        let installed = try Installation(executable: home.file("opt/bin/synthhost"), environment: [:])
        #expect(installed.worker == home.file("opt/lib/synthhost/synthhost-worker"))
        #expect(installed.plugins.first == home.file("opt/lib/synthhost/plugins"))

        let part = try Installation(executable: home.file("opt/lib/synthhost/sd_synthhost"), environment: [:])
        #expect(part.worker == installed.worker)
        #expect(part.plugins == installed.plugins.filter { !$0.hasSuffix("/bin") })

        let named = try Installation(
            executable: home.file("elsewhere/synthhost"), environment: ["SYNTHHOST_PREFIX": home.file("opt")])
        #expect(named.worker == home.file("opt/lib/synthhost/synthhost-worker"))
        #expect(named.plugins.contains(home.file("opt/lib/synthhost/plugins")))
    }

    @Test("a missing worker is reported with the paths that were searched")
    func missing() throws {
        try place("build/synthhost-worker", mode: 0o644)
        let prefix = home.file("nowhere")
        do {
            _ = try Installation(executable: home.file("build/synthhost"), environment: ["SYNTHHOST_PREFIX": prefix])
            // Only if synthhost is installed on this machine.
            try #require(
                access("/usr/local/lib/synthhost/synthhost-worker", X_OK) == 0
                    || access("/usr/lib/synthhost/synthhost-worker", X_OK) == 0)
        } catch let error as InstallationError {
            #expect(error.missing == "synthhost-worker")
            #expect(error.candidates.contains(home.file("build/synthhost-worker")))
            #expect(error.candidates.contains("\(prefix)/lib/synthhost/synthhost-worker"))
        }
    }

    @Test("the running program knows its own path")
    func executable() {
        #expect(Installation.executable.hasPrefix("/"))
        #expect(FileManager.default.isExecutableFile(atPath: Installation.executable))
    }
}
