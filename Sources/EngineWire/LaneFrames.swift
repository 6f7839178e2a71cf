extension LaneRequest: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(serial)
        switch text {
        case .text(let text):
            frame.write(0 as UInt8)
            frame.write(text)
        case .phonemes(let text):
            frame.write(1 as UInt8)
            frame.write(text)
        case .textAndPhonemes(let text):
            frame.write(2 as UInt8)
            frame.write(text)
        }
        frame.write(language)
        frame.write(rate)
        frame.write(pitch)
        frame.write(variation)
        frame.write(wants.rawValue)
        frame.write(isAwaited)
        frame.write(voices) { frame, voice in
            frame.write(voice.id)
            frame.write(voice.speaker)
            frame.write(voice.weight)
            frame.write(voice.files) { $0.write($1) }
        }
    }

    package init(from frame: inout FrameReader) throws(MalformedFrame) {
        serial = try frame.number()
        switch try frame.number(UInt8.self) {
        case 0: text = .text(try frame.string())
        case 1: text = .phonemes(try frame.string())
        case 2: text = .textAndPhonemes(try frame.string())
        default: throw MalformedFrame()
        }
        language = try frame.optionalString()
        rate = try frame.float()
        pitch = try frame.float()
        variation = try frame.float()
        wants = EventKinds(rawValue: try frame.number())
        isAwaited = try frame.number(UInt8.self) != 0
        voices = try frame.list { (frame) throws(MalformedFrame) in
            var voice = VoiceUse(id: try frame.string(), speaker: try frame.optionalString())
            voice.weight = try frame.float()
            voice.files = try frame.list { (frame) throws(MalformedFrame) in try HandedFile(from: &frame) }
            return voice
        }
    }
}

extension LaneReply: Frame {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .begin(let serial, let sampleRate, let channels):
            frame.write(1 as UInt8)
            frame.write(serial)
            frame.write(sampleRate)
            frame.write(channels)
        case .audio(let serial, let samples):
            samples.withUnsafeBufferPointer { Self.writeAudio(serial: serial, $0, to: &frame) }
        case .event(let serial, let event):
            frame.write(3 as UInt8)
            frame.write(serial)
            frame.write(event.kind.rawValue)
            frame.write(event.frame)
            frame.write(event.frameCount)
            frame.write(UInt32(event.text.lowerBound))
            frame.write(UInt32(event.text.upperBound))
            frame.write(words: event.label)
        case .end(let serial, let frameCount, let outcome):
            frame.write(4 as UInt8)
            frame.write(serial)
            frame.write(frameCount)
            switch outcome {
            case .spoken: frame.write(0 as UInt8)
            case .cancelled: frame.write(1 as UInt8)
            case .failed(let error):
                frame.write(2 as UInt8)
                frame.write(error)
            }
        }
    }

    /// Writes an audio frame directly from an engine's buffer.
    package static func writeAudio(serial: UInt64, _ samples: UnsafeBufferPointer<Float>, to frame: inout FrameWriter) {
        frame.write(2 as UInt8)
        frame.write(serial)
        frame.write(samples)
    }

    package init(from frame: inout FrameReader) throws(MalformedFrame) {
        let kind = try frame.number(UInt8.self)
        let serial = try frame.number(UInt64.self)
        switch kind {
        case 1: self = .begin(serial: serial, sampleRate: try frame.number(), channels: try frame.number())
        case 2: self = .audio(serial: serial, try frame.samples())
        case 3:
            let kind = EventKinds(rawValue: try frame.number())
            let (first, count) = (try frame.number(UInt64.self), try frame.number(UInt64.self))
            let (from, to) = (try frame.number(UInt32.self), try frame.number(UInt32.self))
            guard from <= to else { throw MalformedFrame() }
            self = .event(
                serial: serial,
                SpeechEvent(
                    kind: kind, frame: first, frameCount: count, text: Int(from)..<Int(to),
                    label: try frame.optionalString()))
        case 4:
            let frameCount = try frame.number(UInt64.self)
            let outcome: Outcome =
                switch try frame.number(UInt8.self) {
                case 0: .spoken
                case 1: .cancelled
                case 2: .failed(try EngineError(from: &frame))
                default: throw MalformedFrame()
                }
            self = .end(serial: serial, frameCount: frameCount, outcome)
        default: throw MalformedFrame()
        }
    }
}
