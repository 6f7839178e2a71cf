@testable import SynthAudio
import SynthSystem

/// The rules for recordings that libsndfile decodes.
enum SoundChecks {
    static func violations(in bytes: [UInt8]) -> [String] {
        ScratchFile.with(bytes) { path in
            let (rate, seconds) = (22_050, 20)
            let format = AudioFormat(sampleRate: rate, channels: 1)
            guard let reader = try? ClipReader(ClipFile(path: path), as: format, longest: .seconds(seconds)) else {
                return []
            }
            var found: [String] = []
            if let stated = reader.statedSeconds, !stated.isFinite || stated < 0 { found.append("\(stated) seconds") }
            var count = 0
            // If the recording is damaged, reading ends with an error.
            while let block = try? reader.next() {
                count += block.count
                if block.isEmpty || !block.allSatisfy(\.isFinite) { found.append("a block of \(block.count) samples") }
                if !found.isEmpty { break }
            }
            if count > (seconds + 1) * rate { found.append("\(count) samples") }
            return found
        }
    }
}
