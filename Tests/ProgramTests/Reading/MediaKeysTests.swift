import CommandSupport
import Foundation
import SynthSystem
import Testing
import TestSupport

@Suite("The desktop's media keys", .ownThreads)
struct MediaKeysTests {
    /// A session bus that runs until this object is freed.
    private final class Bus {
        let address: String
        private let daemon: ChildProcess

        init(_ home: UserHome) throws {
            let words = ["--session", "--nofork", "--print-address", "--address=unix:path=\(home.file("bus"))"]
            daemon = try ChildProcess(
                "/usr/bin/dbus-daemon", arguments: words.map { Array($0.utf8) }, environment: home.environment)
            try daemon.waitForText("\n")
            address = String(decoding: daemon.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// Calls a method and returns the result or the error.
        func call(_ name: String, _ path: String, _ method: String, _ arguments: [String] = []) throws -> String {
            let words = ["--bus=\(address)", "--print-reply", "--dest=\(name)", path, method] + arguments
            let sender = try ChildProcess(
                "/usr/bin/dbus-send", arguments: words.map { Array($0.utf8) }, environment: [:])
            let result = try sender.finish()
            return String(decoding: result.output, as: UTF8.self) + result.errors
        }

        /// Starts a process that prints all messages of an interface.
        func monitor(_ interface: String) throws -> ChildProcess {
            let words = ["--address", address, "interface='\(interface)'"]
            return try ChildProcess("/usr/bin/dbus-monitor", arguments: words.map { Array($0.utf8) }, environment: [:])
        }

        /// Waits for the only media player and returns its name.
        func player() throws -> String {
            let deadline = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < deadline {
                let names = try call("org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames")
                let found = names.split(separator: "\"").first { $0.hasPrefix("org.mpris.MediaPlayer2.") }
                if let found { return String(found) }
            }
            throw Errno(ETIMEDOUT)
        }
    }

    /// Calls a method of a media player, such as `Player.Pause`.
    private func call(_ method: String, _ player: String, _ bus: Bus, _ arguments: String...) throws -> String {
        try bus.call(player, "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2." + method, arguments)
    }

    private func property(_ name: String, _ player: String, _ bus: Bus) throws -> String {
        let words = ["string:org.mpris.MediaPlayer2.Player", "string:\(name)"]
        return try bus.call(player, "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties.Get", words)
    }

    private static let text = (1...200).map { "This is the sentence with the number \($0)." }.joined(separator: " ")

    @Test("The desktop can pause, resume, navigate and quit the reader, and it receives the reader's state")
    func controls() throws {
        let home = try UserHome()
        try home.write(Self.text, to: "numbers.txt")
        let bus = try Bus(home)
        let monitor = try bus.monitor("org.freedesktop.DBus.Properties")
        try monitor.waitForText("NameAcquired")
        let terminal = try DrawnTerminal(columns: 80, rows: 24)
        let speaker = SteppedSpeaker()
        let command = try home.begin(
            ["read", "-e", "tone", home.file("numbers.txt")], on: terminal.terminal, showsOutput: true,
            adding: ["DBUS_SESSION_BUS_ADDRESS": bus.address], devices: speaker.devices)
        let player = try bus.player()
        try speaker.play(until: "Speaking | ", on: terminal)
        #expect(try property("PlaybackStatus", player, bus).contains("\"Playing\""))
        #expect(try property("Metadata", player, bus).contains("\"numbers.txt\""))

        _ = try call("Player.Pause", player, bus)
        try terminal.wait(for: "Paused | ")
        try monitor.waitForText("\"Paused\"")
        #expect(try property("PlaybackStatus", player, bus).contains("\"Paused\""))
        _ = try call("Player.Pause", player, bus)
        _ = try call("Player.Next", player, bus)
        _ = try call("Player.Next", player, bus)
        try monitor.waitForText("with the number 3.")
        _ = try call("Player.Previous", player, bus)
        // The metadata changes only after the reader has handled the call.
        let deadline = ContinuousClock.now + .seconds(60)
        let second = "\"This is the sentence with the number 2.\""
        while try !property("Metadata", player, bus).contains(second), ContinuousClock.now < deadline {}
        #expect(try property("Metadata", player, bus).contains(second))
        #expect(try property("PlaybackStatus", player, bus).contains("\"Paused\""))

        _ = try call("Player.PlayPause", player, bus)
        try speaker.play(until: "Speaking | ", on: terminal)
        _ = try bus.call(
            player, "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties.Set",
            ["string:org.mpris.MediaPlayer2.Player", "string:Rate", "variant:double:1.5"])
        try terminal.wait(for: "tempo 1.5")
        #expect(try property("Rate", player, bus).contains("double 1.5"))
        _ = try call("Player.SetPosition", player, bus, "objpath:/org/synthhost/other", "int64:90000000")
        _ = try call("Player.SetPosition", player, bus, "objpath:/org/synthhost/document", "int64:90000000000")
        // Both positions are ignored, because one belongs to a different track, and the other is past the end.
        #expect(try property("Metadata", player, bus).contains("with the number 2."))

        let node = try bus.call(player, "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Introspectable.Introspect")
        #expect(node.contains("<method name=\"PlayPause\">") && node.contains("<property name=\"Rate\" type=\"d\""))
        #expect(try call("Raise", player, bus).contains("method return"))
        #expect(try call("Player.Dance", player, bus).contains("UnknownMethod"))
        #expect(try call("Player.Seek", player, bus, "string:far").contains("UnknownMethod"))
        _ = try call("Quit", player, bus)
        while !command.hasEnded { _ = terminal.lines }
        #expect(try command.finish().code == 0)
        #expect(!terminal.isAlternate)
    }

    @Test("The reader works without a session bus", arguments: ["unix:path=/nowhere/bus", "disabled:", ""])
    func withoutBus(address: String) throws {
        let home = try UserHome()
        let result = try home.run(
            ["read", "-e", "tone", "-q", "-"], input: Array("One sentence.".utf8),
            adding: ["DBUS_SESSION_BUS_ADDRESS": address], devices: .silent)
        #expect(result.code == 0, "\(result.errors)")
        #expect(result.errors == "")
        #expect(String(decoding: result.output, as: UTF8.self) == "One sentence.\n")
    }
}
