import Foundation

/// A sound file as ffmpeg decodes it, with decoders of its own.
package struct DecodedSound {
    package struct Undecodable: Error {
        package let errors: String
    }

    private struct Probe: Decodable {
        struct Stream: Decodable {
            let codec_name: String
            /// nil = it is a picture.
            let sample_rate: String?
            let channels: Int?
            let tags: [String: String]?
        }
        struct Format: Decodable {
            let tags: [String: String]?
        }
        let streams: [Stream]
        let format: Format
    }

    /// As ffmpeg names it: "flac", "opus".
    package let codec: String
    package let sampleRate: Int
    package let channels: Int
    package let samples: [Int16]
    /// With names in lower case.
    package let tags: [String: String]

    package var seconds: Double { Double(samples.count / channels) / Double(sampleRate) }

    /// - Parameter isCut: whether the file may end within a frame of sound.
    package init(path: String, isCut: Bool = false) throws {
        let probed = try Self.run(
            "ffprobe", ["-v", "error", "-show_streams", "-show_format", "-of", "json", path], mayComplain: isCut)
        let probe = try JSONDecoder().decode(Probe.self, from: Data(probed))
        guard let stream = probe.streams.first(where: { $0.sample_rate != nil }) else {
            throw Undecodable(errors: "no stream")
        }
        codec = stream.codec_name
        sampleRate = Int(stream.sample_rate ?? "") ?? 0
        channels = stream.channels ?? 1
        let tags = (probe.format.tags ?? [:]).merging(stream.tags ?? [:]) { $1 }
        self.tags = Dictionary(tags.map { ($0.lowercased(), $1) }) { $1 }
        let bytes = try Self.run("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"], mayComplain: isCut)
        samples = bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map { bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self) }
        }
    }

    private static func run(_ program: String, _ arguments: [String], mayComplain: Bool) throws -> [UInt8] {
        let result = try ChildProcess.run("/usr/bin/env", [program] + arguments)
        guard result.code == 0, mayComplain || result.errors.isEmpty else { throw Undecodable(errors: result.errors) }
        return result.output
    }
}
