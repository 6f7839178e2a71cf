import Foundation
import TestSupport
import Testing

@Suite("models list, verify, prune, remove and path")
struct ModelsCareTests {
    private func shop(_ voices: String...) throws -> VoiceShop {
        let shop = try VoiceShop()
        let pulled = try shop.home.start(["models", "pull"] + voices).finish()
        try #require(pulled.code == 0, "\(pulled.errors)")
        return shop
    }

    private func state(_ shop: VoiceShop, _ name: String) throws -> [String: Any]? {
        let listed = try shop.home.run("models", "list", "--json", "--all")
        let voices = try #require(JSONSerialization.jsonObject(with: Data(listed.output)) as? [[String: Any]])
        return voices.first { $0["name"] as? String == name }
    }

    @Test("lists what is downloaded by language, and marks the voice that speaks")
    func list() throws {
        let shop = try shop("Nature", "Left", "Brook")
        #expect(try shop.home.run("voices", "choose", "Nature").code == 0)
        let listed = try shop.home.run("models", "list")
        let rows = listed.lines.dropFirst()
        #expect(rows.map { $0.contains("Nature (British)") } == [true, false, false])
        #expect(rows.filter { $0.contains("en-US") }.count == 1)
        #expect(rows.filter { $0.hasPrefix("*") }.count == 1)
        #expect(rows.first?.hasPrefix("*") == true)
        #expect(rows.allSatisfy { $0.contains("ready") && $0.contains("today") })
        #expect(!listed.text.contains("nature_1"))
        #expect(try shop.home.run("models", "list", "--ids").text.contains("nature_1"))
        let bySize = try shop.home.run("models", "list", "--sort", "size")
        #expect(bySize.lines.dropFirst().first?.contains("Left") == true)
        #expect(try shop.home.run("models", "list", "--sort", "colour").code == 64)
    }

    @Test("lists with --all also what is not downloaded")
    func listAll() throws {
        let shop = try shop("Nature")
        #expect(!(try shop.home.run("models", "list").text.contains("Brook")))
        let all = try shop.home.run("models", "list", "--all").lines
        #expect(all.first { $0.contains("Brook") }?.contains("not downloaded") == true)
        #expect(try state(shop, "Right")?["state"] as? String == "notDownloaded")
        #expect((try state(shop, "Right")?["bytesToDownload"] as? Int) == 200_000)
    }

    @Test("finds a file with one other byte, and repairs it on request")
    func verify() throws {
        let shop = try shop("Nature", "Brook")
        #expect(try shop.home.run("models", "verify").code == 0)
        let file = try #require(shop.stored("nature.pitch").first)
        var bytes = Array(try shop.home.data(file))
        bytes[50] ^= 1
        try shop.home.write(bytes, to: file)
        let found = try shop.home.run("models", "verify")
        #expect(found.code == 69)
        #expect(found.text.contains("nature.pitch: its content is not what was installed"))
        #expect(found.errors.contains("Damaged: Nature (British)."))
        #expect(found.errors.contains("synthhost models verify --repair"))
        #expect(try state(shop, "Nature")?["state"] as? String == "notDownloaded")
        let repaired = try shop.home.run("models", "verify", "Nature", "--repair")
        #expect(repaired.code == 0, "\(repaired.errors)")
        #expect(Array(try shop.home.data(file)) == VoiceShop.files["/nature.pitch"])
        #expect(try shop.home.run("models", "verify").code == 0)
    }

    @Test("calls a voice not downloaded when a file of it is missing, and says which")
    func missingFile() throws {
        let shop = try shop("Nature")
        let file = try #require(shop.stored("nature.pitch").first)
        try FileManager.default.removeItem(atPath: shop.home.file(file))
        let listed = try shop.home.run("voices")
        let row = listed.lines.first { $0.contains("Nature") }
        #expect(row?.contains("not downloaded: nature.pitch is missing") == true, "\(listed.text)")
        let spoken = try shop.home.run("speak", "-v", "Nature", "hello", "-o", shop.home.file("a.wav"))
        #expect(spoken.code == 69)
        #expect(spoken.errors.contains("nature.pitch is missing"))
        #expect(spoken.errors.contains("synthhost models pull Nature"))
        #expect(try shop.home.run("models", "pull", "Nature").code == 0)
        #expect(try shop.home.run("speak", "-v", "Nature", "hello", "-o", shop.home.file("a.wav")).code == 0)
    }

    @Test("removes a voice, its model with the last that leans on it, and what the configuration says of it")
    func remove() throws {
        let shop = try shop("Left", "Right")
        #expect(try shop.home.run("voices", "choose", "Right").code == 0)
        let first = try shop.home.run("models", "remove", "Left")
        #expect(first.code == 0, "\(first.errors)")
        #expect(shop.stored("duet.pitch").count == 1)
        #expect(try shop.configured("voices.tone") == "Right")
        let second = try shop.home.run("models", "remove", "Right")
        #expect(second.code == 0)
        #expect(second.errors.contains("It was the chosen voice of tone"))
        #expect(shop.stored("duet.pitch").isEmpty)
        #expect(try shop.configured("voices.tone") == "")
        let spoken = try shop.home.run("speak", "hello", "-o", shop.home.file("a.wav"))
        #expect(spoken.code == 0, "\(spoken.errors)")
        #expect(try shop.home.run("models", "remove", "Right").errors.contains("Right is not downloaded."))
        #expect(try shop.home.run("models", "remove", "Sine").errors.contains("built into tone"))
    }

    @Test("removes what nothing needs, and with --dry-run only shows it")
    func prune() throws {
        let shop = try shop("Nature")
        try shop.home.write("half", to: "data/synthhost/models/brook_1/0123456789abcdef/brook.pitch.part")
        try shop.home.write("x", to: "data/synthhost/models/stranger/1/file")
        let shown = try shop.home.run("models", "prune", "--dry-run")
        #expect(shown.code == 0)
        #expect(shown.lines.count == 2)
        #expect(shown.text.contains("its download did not end") && shown.text.contains("no registry knows it"))
        #expect(shop.home.exists("data/synthhost/models/stranger/1/file"))
        let pruned = try shop.home.run("models", "prune")
        #expect(pruned.text == shown.text)
        #expect(!shop.home.exists("data/synthhost/models/stranger"))
        #expect(shop.stored(".part").isEmpty)
        #expect(try state(shop, "Nature")?["state"] as? String == "ready")
        #expect(try shop.home.run("models", "prune").errors.contains("Every file is needed."))
    }

    @Test("prints the folder of the voices, or of one")
    func path() throws {
        let shop = try shop("Nature")
        #expect(try shop.home.run("models", "path").text == shop.home.file("data/synthhost/models") + "\n")
        let folder = try shop.home.run("models", "path", "nature").text.dropLast()
        #expect(FileManager.default.fileExists(atPath: folder + "/nature.pitch"))
        #expect(try shop.home.run("models", "path", "Brook").code == 69)
    }
}
