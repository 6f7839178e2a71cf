/// How a request on a lane ended.
package enum RequestOutcome: Equatable, Sendable {
    /// Spoken, or understood, to its end.
    case done
    case cancelled
    case failed(EngineError)
}

extension RequestOutcome {
    func write(to frame: inout FrameWriter) {
        switch self {
        case .done: frame.write(0 as UInt8)
        case .cancelled: frame.write(1 as UInt8)
        case .failed(let error):
            frame.write(2 as UInt8)
            frame.write(error)
        }
    }

    init(from frame: inout FrameReader) throws(MalformedFrame) {
        switch try frame.number(UInt8.self) {
        case 0: self = .done
        case 1: self = .cancelled
        case 2: self = .failed(try EngineError(from: &frame))
        default: throw MalformedFrame()
        }
    }
}
