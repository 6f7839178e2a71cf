import CommandSupport
import Testing
import TestSupport

@Suite("Playback on a device", .ownThreads)
struct DeviceTests {
    /// A device that writes playback to a file without waiting.
    private func recorder(_ home: UserHome, name: String) throws {
        try home.write(
            """
            pcm.\(name) { type file slave.pcm { type null } file "\(home.file("played.wav"))" format "wav"
              hint { show on description "Recorder" } }
            """, to: "asound.conf")
    }

    @Test("A device receives the same audio as a file", arguments: ["default", "recorder"])
    func plays(device: String) throws {
        let home = try UserHome()
        try recorder(home, name: device)
        let text = "The quick brown fox jumps."
        let played = try home.start(["speak", text] + (device == "default" ? [] : ["-d", device])).finish()
        #expect(played.code == 0 && played.output == [])
        #expect(try home.runProcess("speak", text, "-o", home.file("written.wav")).code == 0)
        let (heard, written) = (try home.wav("played.wav"), try home.wav("written.wav"))
        #expect(heard.sampleRate == written.sampleRate && heard.channels == 1)
        #expect(heard.frames == written.frames)
        // On a device that is faster than the engine, underruns cause fades of a few milliseconds.
        #expect(abs(heard.level - written.level) < 0.5)
    }

    @Test("The device can be set in the configuration or the environment, and a flag overrides both")
    func precedence() throws {
        let home = try UserHome()
        try recorder(home, name: "recorder")
        #expect(try home.runProcess("config", "set", "device", "recorder").code == 0)
        #expect(try home.runProcess("speak", "Hi").code == 0)
        #expect(home.exists("played.wav"))
        #expect(try home.runProcess("speak", "Hi", adding: ["SYNTHHOST_DEVICE": "nowhere"]).code == 74)
        #expect(try home.runProcess("speak", "Hi", "-d", "recorder", adding: ["SYNTHHOST_DEVICE": "nowhere"]).code == 0)
    }

    @Test("The error for an unknown device lists the existing devices")
    func missing() throws {
        let home = try UserHome()
        try recorder(home, name: "recorder")
        let result = try home.runProcess("speak", "Hello", "-d", "recoder")
        #expect(result.code == 74)
        #expect(
            result.errors == """
                synthhost: The sound device "recoder" does not exist.
                Devices: recorder; `synthhost speak … -d DEVICE` chooses one; `-o file.wav` writes a file instead.

                """)
    }

    @Test("Without any device, the error explains how to write to a file")
    func bareMachine() throws {
        let home = try UserHome()
        let result = try home.runProcess("speak", "Hello")
        #expect(result.code == 74)
        #expect(result.errors.contains("ALSA found no sound device on this machine."))
        #expect(result.errors.contains("`synthhost speak … -o file.wav` writes a file instead."))
        #expect(!result.errors.contains("ALSA lib"))
    }

    @Test("An engine that is too slow is reported once")
    func buffering() throws {
        let home = try UserHome()
        try home.install("reed")
        try home.write("pcm.default { type null }", to: "asound.conf")
        let slow = try home.runProcess("speak", "-v", "Slow", "One. Two. Three.")
        #expect(slow.code == 0)
        #expect(
            slow.errors.split(separator: "\n").filter { !$0.hasPrefix("Loading ") }
                == ["Buffering: the engine is slower than playback."])
        #expect(try home.runProcess("speak", "-v", "Slow", "-q", "One. Two.").errors == "")
    }
}
