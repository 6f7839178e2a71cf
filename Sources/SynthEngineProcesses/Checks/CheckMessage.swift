package import SynthEngineWire

/// A message from a checking process to the host. Each message is one frame.
package enum CheckMessage: Equatable, Sendable {
    case engine(EngineIdentity)
    /// The step that begins now, phrased to follow "while". Used in crash reports.
    case step(String)
    /// The result. Always the last message.
    case finding(CheckFinding)
    /// A denied action, phrased to follow "It was not allowed".
    case refused(String)
}

extension CheckMessage: Frame {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .engine(let engine):
            frame.write(1 as UInt8)
            frame.write(words: engine.id)
            frame.write(words: engine.name)
            frame.write(words: engine.version)
        case .step(let what):
            frame.write(2 as UInt8)
            frame.write(words: what)
        case .finding(let finding):
            frame.write(3 as UInt8)
            frame.write(finding.verdict)
            switch finding.detail {
            case .words(let words):
                frame.write(0 as UInt8)
                frame.write(words: words)
            case .refused(let refusal, let showsRemedy): frame.write(1 as UInt8, refusal, showsRemedy)
            }
            frame.write(finding.measurements)
        case .refused(let what):
            frame.write(4 as UInt8)
            frame.write(words: what)
        }
    }

    package init(from frame: inout FrameReader) throws {
        switch try frame.read(UInt8.self) {
        case 1:
            self = .engine(EngineIdentity(id: try frame.read(), name: try frame.read(), version: try frame.read()))
        case 2: self = .step(try frame.read())
        case 3:
            let verdict = try frame.read(CheckVerdict.self)
            let detail: CheckDetail =
                switch try frame.read(UInt8.self) {
                case 0: .words(try frame.read())
                case 1: .refused(try frame.read(), showsRemedy: try frame.read())
                default: throw MalformedFrame()
                }
            self = .finding(CheckFinding(verdict, detail, try frame.read()))
        case 4: self = .refused(try frame.read())
        default: throw MalformedFrame()
        }
    }
}

extension Measurement: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(name, value.bitPattern, unit) }

    package init(from frame: inout FrameReader) throws {
        self.init(try frame.read(), Double(bitPattern: try frame.read()), try frame.read())
    }
}

/// The ID, name and version that an engine reports.
package struct EngineIdentity: Equatable, Sendable {
    package var id: String
    package var name: String
    package var version: String

    package init(id: String, name: String, version: String) {
        self.id = id
        self.name = name
        self.version = version
    }
}
