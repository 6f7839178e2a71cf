import Foundation
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthAudio

@Suite("Writing to pipes, FIFOs and devices", .timeLimit(.minutes(60)))
struct StreamTests {
    /// The bytes that a pipe receives. The reader has its own thread.
    private func received(_ write: (Int32) throws -> Void) throws -> Data {
        let pipe = Pipe()
        let reader = pipe.fileHandleForReading
        let data = OwnThread { reader.readDataToEndOfFile() }
        try write(pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        return try data.result()
    }

    @Test("The sizes in a WAV stream's header are open-ended, and nothing follows the samples")
    func wavToPipe() throws {
        let samples = Signals.noise(100_000, amplitude: 1, seed: 6)
        let data = try received { descriptor in
            let sink = try SoundFileOptions(.wav).sink(descriptor: descriptor)
            try sink.begin(AudioFormat(sampleRate: 16_000, channels: 2))
            for piece in Signals.pieces(samples, channels: 2) { try sink.write(piece) }
            try sink.finish()
        }
        let wav = try ParsedWAV(data)
        #expect(wav.statedRIFFSize == .max && wav.statedDataSize == .max)
        #expect(wav.channels == 2 && wav.sampleRate == 16_000)
        #expect(wav.samples == samples.map { FloatPCM.int16($0) })
        #expect(wav.trailing == 0)
    }

    @Test("A raw stream contains only samples")
    func raw() throws {
        let data = try received { descriptor in
            let sink = SoundFileSink.raw(descriptor: descriptor)
            try sink.begin(.silent)
            try sink.write([0, 0.5, -0.5, -1])
            try sink.finish()
        }
        #expect([UInt8](data) == [0, 0, 0, 64, 0, 192, 0, 128])
    }

    @Test("A write to a non-blocking descriptor waits until the descriptor is writable")
    func nonBlocking() throws {
        let samples = Signals.noise(200_000, amplitude: 1, seed: 8)
        let data = try received { descriptor in
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            let sink = SoundFileSink.raw(descriptor: descriptor)
            try sink.begin(.silent)
            try sink.write(samples[...])
        }
        #expect(data.count == 400_000)
    }

    @Test("Opening a FIFO without a reader blocks until the operation is stopped")
    func unreadFIFO() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fifo")
        #expect(mkfifo(path, 0o600) == 0)
        let sink = try SoundFileOptions(.wav).sink(path: path)
        let writer = OwnThread { try sink.begin(.silent) }
        sink.stop()
        try writer.result()

        let late = SoundFileSink.raw(path: path)
        let patient = OwnThread {
            try late.begin(.silent)
            try late.write([0.5])
            try late.finish()
        }
        let reader = open(path, O_RDONLY)
        defer { close(reader) }
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(read(reader, &bytes, bytes.count) == 2)
        try patient.result()
    }

    @Test("If a FIFO's reader closes it, a broken pipe is reported, and the process is not killed by a signal")
    func brokenPipe() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("fifo")
        #expect(mkfifo(path, 0o600) == 0)
        let reader = OwnThread {
            let descriptor = open(path, O_RDONLY)
            var header = [UInt8](repeating: 0, count: 44)
            read(descriptor, &header, 44)
            close(descriptor)
        }
        let sink = try SoundFileOptions(.wav).sink(path: path)
        try sink.begin(.silent)
        let error = #expect(throws: AudioError.brokenPipe) {
            try sink.write(Array(repeating: 0.1, count: 1_000_000)[...])
        }
        #expect(error?.code == .readerGone)
        try sink.finish()
        try reader.result()
    }

    @Test("A full device is reported as having no space left")
    func full() throws {
        let error = #expect(throws: AudioError.self) {
            let sink = try SoundFileOptions(.wav).sink(path: "/dev/full")
            try sink.begin(.silent)
            try sink.write([0.5])
        }
        #expect(error == .outputNotWritten(name: .file("/dev/full"), code: ENOSPC))
        #expect(error?.code == .diskFull)
    }

    @Test("Stopping ends a write that is waiting for its reader, and all written frames are complete")
    func stopWhileBlocked() throws {
        let pipe = Pipe()
        let sink = SoundFileSink.raw(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        try sink.begin(AudioFormat(sampleRate: 22_050, channels: 3))
        let writer = OwnThread {
            // A pipe cannot buffer nearly this much data, so without the stop, the call would never return.
            try sink.write(Array(repeating: 0.1, count: 3_000_000)[...])
        }
        let first = try #require(try pipe.fileHandleForReading.read(upToCount: 6))
        sink.stop()
        try writer.result()
        try sink.finish()
        try pipe.fileHandleForWriting.close()
        let rest = try pipe.fileHandleForReading.readToEnd() ?? Data()
        #expect((first.count + rest.count) % 6 == 0)
        #expect(first.count + rest.count < 6_000_000)
    }
}
