package import Foundation

/// A strict WAV parser that is independent of the code that writes the files.
package struct ParsedWAV {
    /// Thrown if the file is invalid.
    package struct Malformed: Error {
        package var what: String
    }

    package var statedRIFFSize: UInt32
    package var statedDataSize: UInt32
    package var formatTag: Int
    package var channels: Int
    package var sampleRate: Int
    package var bytesPerSecond: Int
    package var blockAlign: Int
    package var bitsPerSample: Int
    package var samples: [Int16]
    /// The number of bytes after the stated end of the audio, including an odd last byte.
    package var trailing: Int

    package init(_ data: Data) throws {
        let bytes = [UInt8](data)
        func number(_ at: Int, _ size: Int) throws -> Int {
            guard at + size <= bytes.count else { throw Malformed(what: "ends at \(bytes.count)") }
            return (0..<size).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
        }
        func tag(_ at: Int) throws -> String {
            guard at + 4 <= bytes.count else { throw Malformed(what: "ends at \(bytes.count)") }
            return String(decoding: bytes[at..<at + 4], as: UTF8.self)
        }
        guard try tag(0) == "RIFF", try tag(8) == "WAVE" else { throw Malformed(what: "not RIFF WAVE") }
        statedRIFFSize = UInt32(try number(4, 4))
        (formatTag, channels, sampleRate, bytesPerSecond, blockAlign, bitsPerSample) = (0, 0, 0, 0, 0, 0)
        var position = 12
        while try tag(position) != "data" {
            let size = try number(position + 4, 4)
            if try tag(position) == "fmt " {
                formatTag = try number(position + 8, 2)
                channels = try number(position + 10, 2)
                sampleRate = try number(position + 12, 4)
                bytesPerSecond = try number(position + 16, 4)
                blockAlign = try number(position + 20, 2)
                bitsPerSample = try number(position + 22, 2)
            }
            position += 8 + size + size % 2
        }
        statedDataSize = UInt32(try number(position + 4, 4))
        let start = position + 8
        let end = min(start + Int(statedDataSize), bytes.count)
        samples = try stride(from: start, to: end - 1, by: 2).map { Int16(truncatingIfNeeded: try number($0, 2)) }
        trailing = bytes.count - start - samples.count * 2
    }

    /// Whether the sizes and the format are consistent with each other and with the file.
    package func agrees(fileSize: Int) -> Bool {
        formatTag == 1 && bitsPerSample == 16 && blockAlign == channels * 2 && bytesPerSecond == sampleRate * blockAlign
            && Int(statedRIFFSize) == fileSize - 8 && Int(statedDataSize) == samples.count * 2
            && samples.count % channels == 0 && trailing == 0
    }
}
