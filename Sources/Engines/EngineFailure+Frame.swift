package import EngineWire
import System

extension EngineFailure: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(words: engine)
        frame.write(words: log)
        switch reason {
        case .refused(let refusal):
            frame.write(1 as UInt8)
            refusal.write(to: &frame)
        case .notStarted(.program(let path, let error)):
            frame.write(2 as UInt8)
            frame.write(words: path)
            frame.write(error.code)
        case .notStarted(.lane(let error)):
            frame.write(3 as UInt8)
            frame.write(error.code)
        case .notStarted(.noThread): frame.write(4 as UInt8)
        case .crashed(let signal, let activity):
            frame.write(5 as UInt8)
            frame.write(signal)
            frame.write(activity.rawValue)
        case .exited(let code, let activity):
            frame.write(6 as UInt8)
            frame.write(code)
            frame.write(activity.rawValue)
        case .hung(let limit, let activity):
            frame.write(7 as UInt8)
            frame.write(Int64(limit / .milliseconds(1)))
            frame.write(activity.rawValue)
        case .violatedProtocol(let activity):
            frame.write(8 as UInt8)
            frame.write(activity.rawValue)
        case .reported(let error):
            frame.write(9 as UInt8)
            frame.write(error)
        case .unspeakableText: frame.write(10 as UInt8)
        }
    }

    package init(from frame: inout FrameReader) throws(MalformedFrame) {
        engine = try frame.string()
        log = try frame.optionalString()
        reason =
            switch try frame.number(UInt8.self) {
            case 1: .refused(try Refusal(from: &frame))
            case 2: .notStarted(.program(try frame.string(), Errno(try frame.number())))
            case 3: .notStarted(.lane(Errno(try frame.number())))
            case 4: .notStarted(.noThread)
            case 5: .crashed(signal: try frame.number(), try frame.value())
            case 6: .exited(code: try frame.number(), try frame.value())
            case 7: .hung(.milliseconds(try frame.number(Int64.self)), try frame.value())
            case 8: .violatedProtocol(try frame.value())
            case 9: .reported(try EngineError(from: &frame))
            case 10: .unspeakableText
            default: throw MalformedFrame()
            }
    }
}
