import Foundation
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("The installation")
struct InstallationTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    private func place(_ name: String, mode: Int = 0o755) throws {
        try home.write("", to: name)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: home.file(name))
    }

    @Test("The installation is found next to the program, in the program's prefix, or in SYNTHHOST_PREFIX")
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
        #expect(part.plugins == installed.plugins)
        // An installed program's folder is not searched for plugins, because /usr/bin contains ld.so.
        #expect(!installed.plugins.contains(home.file("opt/bin")))

        let named = try Installation(
            executable: home.file("elsewhere/synthhost"), environment: ["SYNTHHOST_PREFIX": home.file("opt")])
        #expect(named.worker == home.file("opt/lib/synthhost/synthhost-worker"))
        #expect(named.plugins.contains(home.file("opt/lib/synthhost/plugins")))
    }

    @Test(
        "A program in a different package finds the installation if synthhost is in PATH or in ~/.local",
        arguments: [true, false])
    func otherPackage(isOnPath: Bool) throws {
        try #require(
            access("/usr/local/lib/synthhost/synthhost-worker", X_OK) != 0
                && access("/usr/lib/synthhost/synthhost-worker", X_OK) != 0)
        let prefix = isOnPath ? "opt" : ".local"
        try place("\(prefix)/bin/synthhost")
        try place("\(prefix)/lib/synthhost/synthhost-worker")
        try home.write("", to: "\(prefix)/lib/synthhost/languages/any/rules.txt")
        try FileManager.default.createDirectory(atPath: home.file("links"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: home.file("links/synthhost"), withDestinationPath: home.file("\(prefix)/bin/synthhost"))
        let environment =
            isOnPath ? ["PATH": "/nowhere:relative:\(home.file("links"))"] : ["HOME": home.path, "PATH": "/nowhere"]
        let found = try Installation(executable: home.file("mine/.build/debug/app"), environment: environment)
        #expect(found.worker == home.file("\(prefix)/lib/synthhost/synthhost-worker"))
        #expect(found.languages == home.file("\(prefix)/lib/synthhost/languages"))
        #expect(found.plugins.contains(home.file("\(prefix)/lib/synthhost/plugins")))
    }

    @Test("The installation is found in a build folder that is in PATH")
    func buildOnPath() throws {
        try place("synthhost/.build/release/synthhost")
        try place("synthhost/.build/release/synthhost-worker")
        try home.write("", to: "synthhost/Sources/SynthVerbalization/Languages/any/rules.txt")
        let build = home.file("synthhost/.build/release")
        let found = try Installation(executable: home.file("mine/app"), environment: ["PATH": build])
        #expect(found.worker == "\(build)/synthhost-worker")
        #expect(found.languages == home.file("synthhost/Sources/SynthVerbalization/Languages"))
        #expect(found.plugins.last == build)
    }

    @Test("If the worker is missing, the error lists all paths that were searched")
    func missing() throws {
        try place("build/synthhost-worker", mode: 0o644)
        let prefix = home.file("nowhere")
        do {
            _ = try Installation(executable: home.file("build/synthhost"), environment: ["SYNTHHOST_PREFIX": prefix])
            // The initializer succeeds only if synthhost is installed on this machine.
            try #require(
                access("/usr/local/lib/synthhost/synthhost-worker", X_OK) == 0
                    || access("/usr/lib/synthhost/synthhost-worker", X_OK) == 0)
        } catch let error as SpeechError {
            #expect(error.code == .installationIncomplete && error.facts.name == "synthhost-worker")
            #expect(error.facts.candidates.contains(home.file("build/synthhost-worker")))
            #expect(error.facts.candidates.contains("\(prefix)/lib/synthhost/synthhost-worker"))
        }
    }

    @Test("The running program finds its own path")
    func executable() {
        #expect(Installation.executable.hasPrefix("/"))
        #expect(FileManager.default.isExecutableFile(atPath: Installation.executable))
    }
}
