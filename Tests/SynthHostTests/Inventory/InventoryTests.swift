import Foundation
import Testing
import TestSupport
import VoiceCatalogue

@testable import SynthHost

@Suite("An inventory", .ownThreads)
struct InventoryTests {
    @Test("scans the plugins once and reads the registry once")
    func once() throws {
        let home = try UserHome()
        try home.write(#"{"engines": {"tone": {"first": true}}}"#, to: "data/synthhost/models.json")
        let host = LocalHost(
            installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
            folders: UserFolders(environment: home.environment), environment: home.environment)
        let inventory = host.inventory()
        #expect(inventory.firstEngine == "tone")
        let plugins = inventory.plugins
        // What comes later is the next inventory's to find.
        try home.write("{", to: "data/synthhost/models.json")
        try home.install("reed")
        #expect(try inventory.registry().hints["tone"]?.isFirst == true)
        #expect(inventory.plugins == plugins)
        #expect(throws: RegistryError.self) { try host.inventory().registry() }
        #expect(host.inventory().listings.contains { $0.engine?.id == "reed" })
    }
}
