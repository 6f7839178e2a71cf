extension ControlRequest: Frame {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .describe:
            frame.write(1 as UInt8)
        case .load(let model, let load):
            frame.write(2 as UInt8)
            frame.write(model)
            load.write(to: &frame)
        case .open(let lane, let model):
            frame.write(3 as UInt8)
            frame.write(lane)
            frame.write(model)
        case .cancel(let lane, let serial):
            frame.write(4 as UInt8)
            frame.write(lane)
            frame.write(serial)
        case .unload(let model):
            frame.write(5 as UInt8)
            frame.write(model)
        }
    }

    package init(from frame: inout FrameReader) throws(MalformedFrame) {
        switch try frame.number(UInt8.self) {
        case 1: self = .describe
        case 2: self = .load(model: try frame.number(), try LoadRequest(from: &frame))
        case 3: self = .open(lane: try frame.number(), model: try frame.number())
        case 4: self = .cancel(lane: try frame.number(), serial: try frame.number())
        case 5: self = .unload(model: try frame.number())
        default: throw MalformedFrame()
        }
    }
}

extension ControlReply: Frame {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .refused(let refusal):
            frame.write(1 as UInt8)
            refusal.write(to: &frame)
        case .description(let part, let isLast):
            frame.write(2 as UInt8)
            frame.write(isLast)
            frame.write(raw: part)
        case .done:
            frame.write(3 as UInt8)
        case .failed(let error):
            frame.write(4 as UInt8)
            frame.write(error)
        case .log(let severity, let line):
            frame.write(5 as UInt8)
            frame.write(severity.rawValue)
            frame.write(words: line)
        }
    }

    package init(from frame: inout FrameReader) throws(MalformedFrame) {
        switch try frame.number(UInt8.self) {
        case 1: self = .refused(try Refusal(from: &frame))
        case 2:
            let isLast = try frame.flag()
            self = .description(part: Array(frame.remaining()), isLast: isLast)
        case 3: self = .done
        case 4: self = .failed(try EngineError(from: &frame))
        case 5: self = .log(try frame.value(), try frame.string())
        default: throw MalformedFrame()
        }
    }
}

extension LoadRequest: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(id)
        frame.write(threads)
        frame.write(cacheDirectory)
        frame.write(files) { $0.write($1) }
    }

    package init(from frame: inout FrameReader) throws(MalformedFrame) {
        self.init(
            id: try frame.string(), threads: try frame.number(), cacheDirectory: try frame.optionalString(),
            files: try frame.list { (frame) throws(MalformedFrame) in try HandedFile(from: &frame) })
    }
}

extension FrameWriter {
    mutating func write(_ file: HandedFile) {
        write(file.role)
        write(file.path)
    }

    package mutating func write(_ error: EngineError) {
        write(error.kind.rawValue)
        write(words: error.message)
        write(words: error.role)
    }
}

extension HandedFile {
    init(from frame: inout FrameReader) throws(MalformedFrame) {
        self.init(role: try frame.string(), path: try frame.string())
    }
}

extension EngineError {
    package init(from frame: inout FrameReader) throws(MalformedFrame) {
        self.init(try frame.value(), try frame.string(), role: try frame.optionalString())
    }
}
