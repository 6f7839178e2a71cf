import Foundation

/// Recordings and videos of the kinds that phones, browsers and other programs write. ffmpeg creates them from a WAV
/// file, and libsndfile cannot read any of them.
package enum GeneratedMedia: String, CaseIterable, Sendable {
    case m4a, fastM4A, alac, mp4, mov, threeGP, webm, webmVideo, mkv, aac, wma, asf, ac3, eac3, ts, mpg, avi, flv, wv,
        spx

    /// The reason for skipping a test that needs ffmpeg.
    package static let missing = "ffmpeg is not installed"
    package static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg") }

    package var ending: String {
        switch self {
        case .fastM4A, .alac: "m4a"
        case .threeGP: "3gp"
        case .webmVideo: "webm"
        default: rawValue
        }
    }

    private var options: [String] {
        switch self {
        case .m4a, .threeGP, .mkv, .aac, .ts: ["-c:a", "aac"]
        case .fastM4A: ["-c:a", "aac", "-movflags", "+faststart"]
        case .alac, .mov: ["-c:a", "alac"]
        case .mp4: Self.picture + ["-c:v", "mpeg4", "-c:a", "aac", "-shortest"]
        case .webm: ["-c:a", "libopus"]
        case .webmVideo: Self.picture + ["-c:v", "libvpx", "-c:a", "libvorbis", "-shortest"]
        case .wma, .asf: ["-c:a", "wmav2"]
        case .ac3: ["-c:a", "ac3"]
        case .eac3: ["-c:a", "eac3"]
        case .mpg: ["-c:a", "mp2"]
        case .avi, .flv: ["-c:a", "libmp3lame", "-ar", "22050"]
        case .wv: ["-c:a", "wavpack"]
        case .spx: ["-c:a", "libspeex"]
        }
    }

    private static let picture = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=5"]

    /// - Parameter sound: The path of a WAV file.
    /// - Returns: The path of the new file, which is in the same folder.
    package func make(of sound: String) throws -> String {
        let path = URL(filePath: sound).deletingLastPathComponent().appending(path: "\(rawValue).\(ending)").path
        try Self.run(["-i", sound] + options + [path])
        return path
    }

    package static func run(_ arguments: [String]) throws {
        let result = try ChildProcess.run("/usr/bin/ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
        guard result.code == 0 else { throw DecodedSound.Undecodable(errors: result.errors) }
    }
}
