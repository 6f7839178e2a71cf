import CommandSupport
import Foundation
import SynthCommandSyntax
import Testing
import TestSupport

@testable import synthhost_cli

@Suite("Component versions")
struct PartVersionsTests {
    /// The libraries that the tests link or require on this machine.
    private static let here = [
        "libcurl", "libarchive", "libespeak-ng", "libsonic", "libsamplerate", "libsndfile", "libopusenc", "libebur128",
        "ICU", "md4c", "ALSA",
    ]

    @Test("Each library's version is printed on a separate line, as reported by the library")
    func lines() throws {
        let home = try UserHome()
        let plain = try home.run("--version")
        let result = try home.run("--version", "--verbose")
        #expect(result.code == 0 && result.errors == "" && plain.lines.count == 1)
        #expect(result.lines.first == plain.lines.first)
        for title in Self.here {
            let said = result.lines.filter { $0.hasPrefix("\(title): ") }
            #expect(said.count == 1 && said[0].contains(/: \d+(\.\w+)+$/), "\(title): \(said)")
        }
        #expect(result.lines.count { $0.hasPrefix("ONNX Runtime: ") } == 1)
        #expect(result.text.contains(/\nSwift: 6\.\d+/) && result.text.contains("\nengine interface: 1\n"))
        #expect(result.text.contains(/\nengine: tone 1\.0, \/.*libTone\.so\n/), "\(result.text)")
    }

    @Test(
        "The versions match the packages that the build links",
        arguments: [("libcurl", "libcurl"), ("ALSA", "alsa")])
    func packages(title: String, package: String) throws {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["pkg-config", "--modversion", package]
        process.standardOutput = pipe
        try process.run()
        let wanted = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let library = try #require(LibraryVersion.all.first { $0.title == title })
        #expect(library.ask() == .version(wanted.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test("A missing library is listed along with the command that installs it")
    func missing() {
        let gone = LibraryVersion("libebur128", "libebur128.so.99") { _ in "1.0" }
        let silent = LibraryVersion("libc", "libc.so.6") { $0.text(of: "no_function_of_it") }
        #expect(
            PartVersions.lines(gone) == ["libebur128: missing", "      Type: sudo apt install libebur128-99"])
        #expect(PartVersions.lines(silent) == ["libc: unknown version"])
    }

    @Test("The versions are printed even if the configuration is unreadable")
    func damagedConfiguration() throws {
        let home = try UserHome()
        try home.write("{", to: "config/synthhost/config.json")
        let result = try home.run("--version", "--verbose")
        #expect(result.code == 0 && result.lines.contains("engines: unknown"), "\(result.text)")
        #expect(result.text.contains(/\nlibcurl: \d/))
    }

    @Test(
        "The version number is extracted from a library's version string",
        arguments: [
            ("libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13", "7.88.1"), ("libarchive 3.6.2", "3.6.2"),
            ("libsamplerate-0.2.2 (c) 2002-2008 Erik de Castro Lopo", "0.2.2"), ("0.29.0.gfm.6", "0.29.0.gfm.6"),
            ("1.51", "1.51"), ("none", "none"),
        ])
    func number(text: String, number: String) {
        #expect(LibraryVersion.number(in: text) == number)
    }

    @Test("`--version --verbose` prints all versions, and any other argument leaves the output of --version unchanged")
    func words() throws {
        var arguments = ParsedArguments()
        arguments.add("folder", to: "plugins-dir")
        arguments.add("", to: "version")
        #expect(
            try ArgumentParser.parse(["--plugins-dir", "folder", "--version", "--verbose"]) == .versions(arguments))
        #expect(try ArgumentParser.parse(["--version", "--", "--verbose"]) == .version)
        #expect(try ArgumentParser.parse(["--version", "speek"]) == .version)
    }
}
