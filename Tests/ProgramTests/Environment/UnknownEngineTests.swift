import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Engines that are not part of the build", .ownThreads)
struct UnknownEngineTests {
    @Test("An engine can be installed, listed, selected and used without rebuilding the host")
    func dropIn() throws {
        let home = try UserHome()
        #expect(try !home.run("engines", "list").text.contains("reed"))
        try home.install("reed")

        let list = try home.run("engines", "list")
        #expect(list.code == 0 && list.errors == "")
        #expect(list.text.contains("reed  Reed 0.3, MIT, 4 voices\n    \(home.plugins)/reed.so\n"))

        #expect(try home.run("config", "set", "engine", "reed").code == 0)
        #expect(try home.run("engines", "list").text.contains("* reed "))

        let spoken = try home.run("speak", "-o", home.file("x.wav"), "Hello there")
        #expect(spoken.code == 0)
        #expect(spoken.errors == "Wrote \(home.file("x.wav")): 1 s of speech.\n")
        let wav = try home.wav("x.wav")
        #expect(wav.sampleRate == 16_000 && wav.channels == 1 && wav.frames == 10 * 1600)
        #expect(wav.pitch.map { abs($0 - 125) < 2 } == true)
    }

    @Test("The engine speaks in stereo and in the voice of the requested speaker")
    func stereo() throws {
        let home = try UserHome()
        try home.install("reed")
        for (speaker, file) in [("Near", "near.wav"), ("far", "far.wav")] {
            let result = try home.run("speak", "-v", "Duo", "--speaker", speaker, "-o", home.file(file), "abc")
            #expect(result.code == 0, "\(result.errors)")
        }
        let (near, far) = (try home.wav("near.wav"), try home.wav("far.wav"))
        #expect(near.sampleRate == 48_000 && near.channels == 2 && near.frames == 3600)
        #expect(abs(near.level - far.level - 6.02) < 0.1)
        let plus = try home.run("speak", "-v", "Duo+Far", "-o", home.file("plus.wav"), "abc")
        #expect(plus.code == 0)
        #expect(try home.data("plus.wav") == home.data("far.wav"))
    }

    @Test("If the configured engine has been removed, the error names it")
    func removed() throws {
        let home = try UserHome()
        try home.install("reed")
        #expect(try home.run("config", "set", "engine", "reed").code == 0)
        try FileManager.default.removeItem(atPath: "\(home.plugins)/reed.so")
        let result = try home.run("speak", "Hello", "-o", home.file("x.wav"))
        #expect(result.code == 69)
        #expect(result.errors.contains("No engine is called \"reed\"."))
        #expect(!home.exists("x.wav"))
    }
}
