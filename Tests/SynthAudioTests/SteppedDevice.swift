import Foundation
import Testing
import TestSupport

/// The ALSA device from `stepped_device.c`, used in this process. It plays only when `play` is called, and it reports
/// events.
final class SteppedDevice {
    static let name = "stepped"
    private let folder: TemporaryFolder
    private let clock = Pipe()
    private let events = Pipe()
    private var unread = Data()

    init() throws {
        folder = try TemporaryFolder()
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/stepped_device.c")
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = [
            "clang", "-shared", "-fPIC", "-w", "-o", folder.file("stepped.so"), source.path, "-lasound",
        ]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
        try """
        pcm_type.stepped { lib "\(folder.file("stepped.so"))" }
        pcm.stepped { type stepped }
        """.write(toFile: folder.file("asound.conf"), atomically: true, encoding: .utf8)
        setenv("ALSA_CONFIG_PATH", folder.file("asound.conf"), 1)
        setenv("STEPPED_CLOCK", "\(clock.fileHandleForReading.fileDescriptor)", 1)
        setenv("STEPPED_EVENTS", "\(events.fileHandleForWriting.fileDescriptor)", 1)
    }

    /// Plays `frames` frames, which must be a multiple of 240.
    func play(frames: Int) throws {
        try clock.fileHandleForWriting.write(contentsOf: Data(repeating: 0, count: frames / 240))
    }

    /// Waits for the next event.
    func nextEvent() -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                unread = Data(unread[(end + 1)...])
                return line
            }
            unread.append(events.fileHandleForReading.availableData)
        }
    }

    /// Waits for an event that starts with `prefix` and returns all events up to and including that event.
    func events(until prefix: String) -> [String] {
        var seen: [String] = []
        repeat { seen.append(nextEvent()) } while !(seen.last?.hasPrefix(prefix) ?? true)
        return seen
    }
}
