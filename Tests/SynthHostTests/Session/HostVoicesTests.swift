import Foundation
import SynthCatalogue
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthUserVoices

@Suite("Voices for programs", .ownThreads)
struct HostVoicesTests {
    private let measured: MeasuredHome
    private let host: SpeechHost

    init() throws {
        measured = try MeasuredHome()
        host = SpeechHost(measured.host)
    }

    @Test("A host lists the engines that could speak and the fallbacks for a voice")
    func engines() async throws {
        let engines = await host.engines().map(\.id)
        #expect(engines.contains("espeak-ng") && engines.contains("tone"))
        let sine = try await host.voice("Sine")
        let others = await host.fallbacks(for: sine)
        #expect(
            !others.isEmpty && others.allSatisfy { $0.engine != "tone" && $0.language.hasPrefix("en") }, "\(others)")
    }

    @Test("The selected voice is the default, even in the user's other hosts")
    func choose() async throws {
        #expect(try await host.voice().name != "Sine")
        try await host.choose(try await host.voice("Sine"))
        let other = LocalHost(
            try HostSetup(
                installation: measured.host.installation, folders: UserFolders(environment: measured.home.environment),
                environment: measured.home.environment
            ) {
                $0.presets = try measured.host.configuration.load()
                $0.configuration = measured.host.configuration
            })
        #expect(try await SpeechHost(other).voice().name == "Sine")
    }

    @Test("Ready voices start with downloaded and added voices, followed by built-in voices")
    func ready() throws {
        let added = try measured.addMoody("s")
        let ready = measured.host.snapshot().readyVoices
        #expect(ready.first?.id == added.id && ready.count > 1, "\(ready.map(\.id))")
    }

    @Test(
        "Favorites come first, then installed and built-in voices; in each group, the user's language comes first"
    )
    func order() throws {
        _ = try measured.addMoody("s")
        var presets = Configuration()
        presets.favorites = ["German"]
        let host = LocalHost(
            HostSetup(
                installation: measured.host.installation, folders: UserFolders(environment: measured.home.environment),
                environment: measured.home.environment.merging(["LC_ALL": "fr_FR.UTF-8"]) { $1 }
            ) {
                $0.presets = presets
            })
        let listed = host.snapshot().readyVoices.map { "\($0.engine)/\($0.language.prefix(2))" }
        #expect(Array(listed.prefix(2)) == ["espeak-ng/de", "moody/en"], "\(listed.prefix(5))")
        let builtIn = listed.dropFirst(2)
        let french = builtIn.prefix { $0 == "espeak-ng/fr" }
        #expect(!french.isEmpty && !builtIn.dropFirst(french.count).contains("espeak-ng/fr"), "\(builtIn.prefix(8))")
    }

    @Test("A verified voice is usable as long as its files are intact, and a removed voice is unknown")
    func remove() async throws {
        let added = try measured.addMoody("s")
        let voice = try await host.verify(try await host.voice("s"))
        #expect(voice.state == .ready)
        let folder = try #require(measured.host.store.installedVoice(id: added.id)).folder
        try Data("another".utf8).write(to: URL(filePath: "\(folder)/a.mood"))
        #expect(try await host.verify(voice).state != .ready)
        #expect(try await host.remove(voice) > 0)
        await #expect(throws: SpeechError.self) { _ = try await host.voice("s") }
        let error = await #expect(throws: SpeechError.self) { _ = try await host.remove(voice) }
        #expect(error?.code == .voiceNotInstalled)
    }
}
