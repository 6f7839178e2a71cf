import Foundation

enum Fixtures {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    static let model = voice("kokoro-tern.onnx")

    static func voice(_ name: String) -> String { folder.appending(path: "Voices/\(name)").path }

    static func kokoro(_ name: String) -> String { folder.appending(path: "Kokoro/\(name)").path }

    /// The float32 values in a raw file.
    static func floats(_ path: String) throws -> [Float] {
        let data = try Data(contentsOf: URL(filePath: path))
        return data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
        }
    }

    /// One row of a raw style file.
    static func row(_ index: Int, of name: String) throws -> [Float] {
        Array(try floats(voice(name + ".bin"))[index * 256..<(index + 1) * 256])
    }
}
