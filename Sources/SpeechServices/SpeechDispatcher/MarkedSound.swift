import SynthHost

/// Sound with its marks, in the order in which they are heard: the sound is cut where a mark is.
struct MarkedSound {
    enum Piece: Equatable {
        /// Interleaved; whole frames.
        case sound(ArraySlice<Float>)
        case mark(String)
    }

    private(set) var format: SpeechFormat?
    /// Marks whose sound did not come yet.
    private var marks: [(frame: Int, name: String)] = []

    mutating func pieces(of part: Speech.Part) -> [Piece] {
        switch part {
        case .format(let format): self.format = format
        case .mark(let event, let name): marks.append((event.frame, name))
        case .audio(let audio): return cut(audio)
        default: break
        }
        return []
    }

    /// After the last part.
    mutating func ending() -> [Piece] {
        defer { marks = [] }
        return marks.map { .mark($0.name) }
    }

    private mutating func cut(_ audio: Speech.Audio) -> [Piece] {
        guard let format else { return [] }
        let channels = max(1, format.channels)
        let end = audio.frame + audio.samples.count / channels
        var (pieces, rest): ([Piece], ArraySlice<Float>) = ([], audio.samples[...])
        while let mark = marks.first, mark.frame < end {
            let frames = max(0, mark.frame - audio.frame)
            let before = rest.prefix(max(0, frames * channels - rest.startIndex))
            rest = rest.dropFirst(before.count)
            pieces += Self.blocks(before, format).map { .sound($0) } + [.mark(mark.name)]
            marks.removeFirst()
        }
        return pieces + Self.blocks(rest, format).map { .sound($0) }
    }

    /// Sound in the pieces in which it is sent.
    static func blocks(_ samples: ArraySlice<Float>, _ format: SpeechFormat) -> [ArraySlice<Float>] {
        let longest = ModuleSound.frames(format) * max(1, format.channels)
        return stride(from: samples.startIndex, to: samples.endIndex, by: longest).map { start in
            samples[start..<min(start + longest, samples.endIndex)]
        }
    }
}
