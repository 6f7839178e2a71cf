import Foundation
import SynthCatalogue
import SynthScript
import Testing
import TestSupport

@testable import SynthEngineProcesses
@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Inventory", .ownThreads)
struct InventoryTests {
    @Test("If the preferred engine exists but is unusable, no other engine replaces it")
    func unusableFirst() throws {
        let home = try UserHome()
        try home.write(#"{"engines": {"reed": {"first": true}}}"#, to: "data/synthhost/models.json")
        try home.write("no library", to: "data/synthhost/plugins/reed.so")
        let inventory = try host(of: home).snapshot()
        #expect(inventory.listings.contains { $0.engine?.id == "espeak-ng" })
        #expect(inventory.firstEngine == "reed")
        #expect {
            _ = try inventory.choose(VoiceQuery())
        } throws: { error in
            if let failure = (error as? SpeechError)?.cause as? EngineFailure {
                failure.engine.hasSuffix("reed.so")
            } else {
                false
            }
        }
    }

    @Test("If a registry cannot be read, the next request tries to read it again")
    func unreadableRegistry() throws {
        let home = try UserHome()
        try home.write("{}", to: "data/synthhost/models.json")
        let readable = try host(of: home).snapshot()
        _ = readable.firstEngine
        #expect(!readable.facts.hasFailures)
        // A link to itself cannot be opened, even by a user who may read all files.
        let link = home.file("data/synthhost/models.json")
        #expect(unlink(link) == 0 && symlink(link, link) == 0)
        let unreadable = try host(of: home).snapshot()
        _ = unreadable.firstEngine
        #expect(unreadable.facts.hasFailures)
    }

    private func host(of home: UserHome, _ presets: Configuration = Configuration()) throws -> LocalHost {
        LocalHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment), environment: home.environment
            ) {
                $0.presets = presets
            })
    }

    @Test(
        "Fallbacks are the configured voices, then those of the registry's engines, but never in a different language",
        arguments: [
            (nil, "en", [], ["reed", "espeak-ng", "moody"]), (nil, "en-GB", ["reed"], ["espeak-ng", "moody"]),
            (nil, "de", [], ["reed", "espeak-ng"]), (["Moody"], "de", [], ["reed", "espeak-ng"]),
            (["German", "moody/moody"], "en", [], ["moody", "reed", "espeak-ng", "moody"]),
            (["Sine"], "en", ["espeak-ng"], ["tone", "reed", "moody"]), (["Nobody"], "de", ["espeak-ng"], ["reed"]),
            ([], "en", [], []),
        ] as [([String]?, String, Set<String>, [String])])
    func fallbacks(named: [String]?, language: String, failed: Set<String>, engines: [String]) throws {
        let home = try UserHome()
        try home.install("reed")
        try home.installFaulty("moody", voice: "Moody", [])
        try home.write(
            #"{"engines": {"espeak-ng": {"fallback": 2}, "reed": {"fallback": 1}}}"#, to: "data/synthhost/models.json")
        var presets = Configuration()
        presets.fallback = named
        let found = try host(of: home, presets).snapshot().fallbacks(for: language, without: failed)
        #expect(found.map(\.voice.engine) == engines)
        #expect(found.allSatisfy { RelatedLanguages.areSame($0.voice.language, language) })
    }

    @Test("Plugins are scanned only once, and the registry is read only once")
    func once() throws {
        let home = try UserHome()
        try home.write(#"{"engines": {"tone": {"first": true}}}"#, to: "data/synthhost/models.json")
        let host = try host(of: home)
        let inventory = host.snapshot()
        #expect(inventory.firstEngine == "tone")
        let plugins = inventory.plugins
        // Only the next inventory finds these changes.
        try home.write("{", to: "data/synthhost/models.json")
        try home.install("reed")
        #expect(try inventory.registry().hints["tone"]?.isFirst == true)
        #expect(inventory.plugins == plugins)
        #expect(throws: RegistryError.self) { try host.snapshot().registry() }
        #expect(host.snapshot().listings.contains { $0.engine?.id == "reed" })
    }

    @Test("Plugins and registries are read again only after one of their files has changed")
    func renewed() throws {
        let home = try UserHome()
        let host = try host(of: home)
        let first = host.snapshot().facts
        #expect(host.snapshot().facts === first)
        try home.write("{}", to: "data/synthhost/models.json")
        let second = host.snapshot().facts
        #expect(second !== first && host.snapshot().facts === second)
        try home.write("no library", to: "data/synthhost/plugins/broken.so")
        #expect(host.snapshot().facts !== second)
        // An unusable plugin is tried again even if its file has not changed.
        let third = host.snapshot()
        #expect(third.listings.contains { $0.path.hasSuffix("/broken.so") && $0.engine == nil })
        #expect(host.snapshot().facts !== third.facts && host.snapshot(.anew).facts !== third.facts)
    }
}
