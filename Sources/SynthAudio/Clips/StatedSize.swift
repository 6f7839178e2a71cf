import Glibc
import SynthSystem

/// The file size according to a container's header. Without this check, decoders would treat an incomplete file, such as a
/// partial download, as a complete but shorter file.
///
/// A file whose container does not state a size is never reported as incomplete. The amount of data read is limited,
/// whatever the file contains.
enum StatedSize {
    /// Differences up to the larger of these limits are ignored, because programs count padding and metadata differently.
    private static let (fewBytes, smallShare) = (1024.0, 0.005)
    /// The maximum number of chunks to read.
    private static let maximumParts = 10_000

    /// Whether the end of the file is missing.
    static func isCut(_ file: Descriptor) -> Bool {
        var status = stat()
        guard fstat(file.raw, &status) == 0, status.st_size > 0 else { return false }
        let head = Head(file, size: UInt64(status.st_size))
        guard let stated = head.stated, stated > head.size else { return false }
        return Double(stated - head.size) > max(fewBytes, Double(stated) * smallShare)
    }

    private struct Head {
        let file: Descriptor
        let size: UInt64

        init(_ file: Descriptor, size: UInt64) { (self.file, self.size) = (file, size) }

        /// The size in bytes, or nil if the container is not supported or does not state the size.
        var stated: UInt64? {
            switch bytes(0, 4) {
            case Array("RIFF".utf8): length(big: false)
            case Array("RIFX".utf8), Array("FORM".utf8): length(big: true)
            case Array("RF64".utf8): bytes(12, 4) == Array("ds64".utf8) ? number(20, 8).map { $0 &+ 8 } : nil
            case Array("riff".utf8): number(16, 8)
            case Array("caff".utf8):
                end(from: 8) { position in
                    // In a file that is still being written, the audio chunk has no length.
                    number(position + 4, 8, big: true).flatMap { $0 > .max / 4 ? nil : 12 + $0 }
                }
            case [0x30, 0x26, 0xB2, 0x75]: asfSize
            default: bytes(4, 4) == Array("ftyp".utf8) ? end(from: 0, boxLength) : nil
            }
        }

        /// Returns the size of a file that consists of one chunk, or nil if the length is unknown. Programs that write to a pipe
        /// set the length to 0 or to the maximum.
        private func length(big: Bool) -> UInt64? {
            number(4, 4, big: big).flatMap { $0 == 0 || $0 >= 0x7FFF_0000 ? nil : $0 + 8 }
        }

        /// Returns the length of an MP4 box including its header, or nil if it extends to the end of the file.
        private func boxLength(_ position: UInt64) -> UInt64? {
            guard let short = number(position, 4, big: true) else { return nil }
            let length = short == 1 ? number(position + 8, 8, big: true) : short
            return length.flatMap { $0 < 8 ? nil : $0 }
        }

        private var asfSize: UInt64? {
            let properties: [UInt8] = [
                0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
            ]
            var position: UInt64 = 30
            for _ in 0..<maximumParts {
                guard let name = bytes(position, 16), let length = number(position + 16, 8), length >= 24, length < size
                else { return nil }
                if name == properties {
                    // A live stream has no length.
                    return number(position + 88, 4).flatMap { $0 & 1 == 1 ? nil : number(position + 40, 8) }
                }
                position += length
            }
            return nil
        }

        /// Returns the end of the last chunk that starts within the file.
        private func end(from start: UInt64, _ length: (UInt64) -> UInt64?) -> UInt64? {
            var position = start
            for _ in 0..<maximumParts {
                guard position < size else { return position }
                guard let length = length(position), length <= .max / 4 else { return nil }
                position += length
            }
            return nil
        }

        private func number(_ position: UInt64, _ count: Int, big: Bool = false) -> UInt64? {
            bytes(position, count).map { bytes in
                (big ? bytes : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
            }
        }

        /// Returns nil if the file is too short.
        private func bytes(_ position: UInt64, _ count: Int) -> [UInt8]? {
            guard position < size, let offset = off_t(exactly: position) else { return nil }
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                initialized = max(0, pread(file.raw, buffer.baseAddress, count, offset))
            }
            return bytes.count == count ? bytes : nil
        }
    }
}
