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
        let longest = ModuleSound.frames(format)
        let end = audio.frame + audio.samples.count / channels
        var (pieces, frame): ([Piece], Int) = ([], audio.frame)
        func add(upTo next: Int) {
            while frame < next {
                let stop = min(next, frame + longest)
                let samples = (frame - audio.frame) * channels..<(stop - audio.frame) * channels
                pieces.append(.sound(audio.samples[samples]))
                frame = stop
            }
        }
        while let mark = marks.first, mark.frame < end {
            add(upTo: mark.frame)
            pieces.append(.mark(mark.name))
            marks.removeFirst()
        }
        add(upTo: end)
        return pieces
    }
}
