import Foundation
import Testing

@testable import SynthAudio

/// Tests how a device's queue fills and empties. Each test runs in a separate process.
@Suite("A slow ALSA device", .timeLimit(.minutes(60)))
struct ALSATimingTests {
    private static let format = AudioFormat(sampleRate: 24_000, channels: 1)

    /// A sink whose limits are not reached, even on a slow machine.
    private static func sink() -> ALSASink {
        ALSASink(device: SteppedDevice.name, stallLimit: .seconds(3600), drainLimit: .seconds(3600))
    }

    private static func sound(_ frames: Int) -> ArraySlice<Float> {
        Array(repeating: 0.1, count: frames)[...]
    }

    @Test("A write blocks while the device is full, and all audio is played to the end")
    func playsOut() async {
        await #expect(processExitsWith: .success) {
            let device = try SteppedDevice()
            let sink = Self.sink()
            let writer = OwnThread {
                try sink.begin(Self.format)
                try sink.write(Self.sound(24_000))
            }
            _ = device.events(until: "start")
            var last = ""
            while last != "written 24000" {
                // Two periods have been played, so two more are accepted.
                try device.play(frames: 480)
                last = device.events(until: "written").last ?? ""
            }
            try writer.result()
            #expect(sink.queuedFrames() > 480)
            let finisher = OwnThread { try sink.finish() }
            while sink.queuedFrames() > 480 { try device.play(frames: 240) }
            #expect(device.events(until: "drain").last == "drain 24000")
            try finisher.result()
            #expect(sink.underrunCount == 0)
        }
    }

    @Test("Stopping ends a blocked write and discards the queue")
    func stopInWrite() async {
        await #expect(processExitsWith: .success) {
            let device = try SteppedDevice()
            let sink = Self.sink()
            let writer = OwnThread {
                try sink.begin(Self.format)
                // The device does not play, so without the stop, this call would never return.
                try sink.write(Self.sound(240_000))
            }
            _ = device.events(until: "start")
            sink.stop()
            _ = device.events(until: "stop")
            try writer.result()
            #expect(sink.queuedFrames() == 0)
            try sink.write(Self.sound(1000))
            try sink.finish()
            let rest = device.events(until: "close")
            #expect(!rest.contains { $0.hasPrefix("drain") || $0.hasPrefix("written") })
        }
    }

    @Test("Stopping discards the queue even if no write is waiting and even during the final drain")
    func stopInFinish() async {
        await #expect(processExitsWith: .success) {
            let device = try SteppedDevice()
            let sink = Self.sink()
            try sink.begin(Self.format)
            try sink.write(Self.sound(3000))
            #expect(sink.queuedFrames() == 3000)
            let finisher = OwnThread { try sink.finish() }
            sink.stop()
            try finisher.result()
            #expect(!device.events(until: "close").contains { $0.hasPrefix("drain") })
        }
    }

    @Test("After an underrun, playback continues, and the underrun is counted")
    func underrun() async {
        await #expect(processExitsWith: .success) {
            let device = try SteppedDevice()
            let sink = Self.sink()
            try sink.begin(Self.format)
            try sink.write(Self.sound(1200))
            try device.play(frames: 2400)
            try sink.write(Self.sound(960))
            #expect(sink.underrunCount == 1)
            #expect(sink.queuedFrames() == 960)
            try device.play(frames: 480)
            try sink.finish()
            #expect(device.events(until: "drain").last == "drain 960")
        }
    }

    @Test("Audio that is shorter than the start threshold is also played")
    func shorterThanStartThreshold() async {
        await #expect(processExitsWith: .success) {
            let device = try SteppedDevice()
            let sink = Self.sink()
            try sink.begin(Self.format)
            try sink.write(Self.sound(100))
            try sink.finish()
            let events = device.events(until: "close").filter { $0 == "start" || $0.hasPrefix("drain") }
            #expect(events == ["start", "drain 100"])
        }
    }
}
