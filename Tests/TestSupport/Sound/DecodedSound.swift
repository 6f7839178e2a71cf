import Foundation

/// An audio file, decoded by ffmpeg with its own decoders.
package struct DecodedSound {
    /// Thrown if ffmpeg cannot decode a file.
    package struct Undecodable: Error {
        package let errors: String
    }

    /// A file's codec and tags.
    package struct Label {
        /// The codec's name in ffmpeg, for example "flac" or "opus".
        package let codec: String
        /// The tags, with lowercase names.
        package let tags: [String: String]
    }

    private struct Probe: Decodable {
        struct Stream: Decodable {
            let codec_name: String
            /// `nil` if the stream is a picture.
            let sample_rate: String?
            let tags: [String: String]?
        }
        struct Format: Decodable {
            let tags: [String: String]?
        }
        let streams: [Stream]
        let format: Format
    }

    private let path: String
    package let sampleRate: Int
    package let channels: Int
    package let samples: [Int16]

    package var seconds: Double { Double(samples.count / channels) / Double(sampleRate) }

    /// - Parameter isCut: Whether the file may end within an audio frame.
    package init(path: String, isCut: Bool = false) throws {
        self.path = path
        let decoded = try Self.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-c:a", "pcm_s16le", "-f", "wav", "-"],
            mayComplain: isCut)
        // ffmpeg writes the maximum values as sizes, because it cannot determine the sizes in advance.
        let wav = try ParsedWAV(Data(decoded))
        (sampleRate, channels, samples) = (wav.sampleRate, max(wav.channels, 1), wav.samples)
    }

    package func label() throws -> Label {
        let probed = try Self.run(
            "ffprobe", ["-v", "error", "-show_streams", "-show_format", "-of", "json", path], mayComplain: false)
        let probe = try JSONDecoder().decode(Probe.self, from: Data(probed))
        guard let stream = probe.streams.first(where: { $0.sample_rate != nil }) else {
            throw Undecodable(errors: "no stream")
        }
        let tags = (probe.format.tags ?? [:]).merging(stream.tags ?? [:]) { $1 }
        return Label(codec: stream.codec_name, tags: Dictionary(tags.map { ($0.lowercased(), $1) }) { $1 })
    }

    private static func run(_ program: String, _ arguments: [String], mayComplain: Bool) throws -> [UInt8] {
        let result = try ChildProcess.run("/usr/bin/env", [program] + arguments)
        guard result.code == 0, mayComplain || result.errors.isEmpty else { throw Undecodable(errors: result.errors) }
        return result.output
    }
}
