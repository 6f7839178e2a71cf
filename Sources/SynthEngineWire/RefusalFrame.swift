import SynthSystem

extension Refusal: Frame {
    package func write(to frame: inout FrameWriter) {
        part.write(to: &frame)
        switch flaw {
        case .cannotBeOpened(let error): frame.write(1, error)
        case .cannotBeRead(let error): frame.write(2, error)
        case .notRegularFile: frame.write(3 as UInt8)
        case .empty: frame.write(4 as UInt8)
        case .notSharedLibrary: frame.write(5 as UInt8)
        case .otherMachine: frame.write(6 as UInt8)
        case .damaged: frame.write(7 as UInt8)
        case .lacksLibrary(let name): frame.write(8, name)
        case .cannotBeLoaded(let words): frame.write(9, words)
        case .cannotBeMapped(let words): frame.write(10, words)
        case .ofOtherUser(let path): frame.write(11, path)
        case .writableByAll(let path): frame.write(12, path)
        case .writableByGroup(let path): frame.write(13, path)
        case .writableByOthers(let path): frame.write(14, path)
        case .unreadableAccessList(let error): frame.write(15, error)
        case .notAbsolute: frame.write(16 as UInt8)
        case .noEntry: frame.write(17 as UInt8)
        case .noRecognizer: frame.write(25 as UInt8)
        case .noTable(let version):
            frame.write(18 as UInt8)
            frame.write(version)
        case .otherVersion(let version, let host):
            frame.write(19 as UInt8)
            frame.write(version)
            frame.write(host)
        case .missingFunction: frame.write(20 as UInt8)
        case .description(let flaw):
            frame.write(21 as UInt8)
            flaw.write(to: &frame)
        case .sharedFolder(let path): frame.write(22, path)
        case .absentFolder: frame.write(23 as UInt8)
        case .unconfined(let gap):
            frame.write(24 as UInt8)
            frame.write(gap.rawValue)
        }
    }

    package init(from frame: inout FrameReader) throws {
        part = try EnginePart(from: &frame)
        flaw =
            switch try frame.number(UInt8.self) {
            case 1: .cannotBeOpened(Errno(try frame.number()))
            case 2: .cannotBeRead(Errno(try frame.number()))
            case 3: .notRegularFile
            case 4: .empty
            case 5: .notSharedLibrary
            case 6: .otherMachine
            case 7: .damaged
            case 8: .lacksLibrary(try frame.string())
            case 9: .cannotBeLoaded(try frame.string())
            case 10: .cannotBeMapped(try frame.string())
            case 11: .ofOtherUser(try frame.string())
            case 12: .writableByAll(try frame.string())
            case 13: .writableByGroup(try frame.string())
            case 14: .writableByOthers(try frame.string())
            case 15: .unreadableAccessList(Errno(try frame.number()))
            case 16: .notAbsolute
            case 17: .noEntry
            case 18: .noTable(version: try frame.number())
            case 19: .otherVersion(try frame.number(), host: try frame.number())
            case 20: .missingFunction
            case 21: .description(try DescriptionFlaw(from: &frame))
            case 22: .sharedFolder(try frame.string())
            case 23: .absentFolder
            case 24: .unconfined(Confinement.Gap(rawValue: try frame.number()))
            case 25: .noRecognizer
            default: throw MalformedFrame()
            }
    }
}

extension EnginePart {
    fileprivate func write(to frame: inout FrameWriter) {
        switch self {
        case .file: frame.write(0 as UInt8)
        case .folder(let path): frame.write(1, path)
        case .library(let path): frame.write(2, path)
        case .searchFolder(let path, let library):
            frame.write(3, path)
            frame.write(words: library)
        case .searchElement(let text, let library):
            frame.write(4, text)
            frame.write(words: library)
        case .namedLibrary(let name, let library):
            frame.write(5, name)
            frame.write(words: library)
        }
    }

    fileprivate init(from frame: inout FrameReader) throws {
        switch try frame.number(UInt8.self) {
        case 0: self = .file
        case 1: self = .folder(try frame.string())
        case 2: self = .library(try frame.string())
        case 3: self = .searchFolder(try frame.string(), for: try frame.optionalString())
        case 4: self = .searchElement(try frame.string(), for: try frame.optionalString())
        case 5: self = .namedLibrary(try frame.string(), for: try frame.optionalString())
        default: throw MalformedFrame()
        }
    }
}

extension DescriptionFlaw {
    fileprivate func write(to frame: inout FrameWriter) {
        switch self {
        case .unusable(let field):
            frame.write(1 as UInt8)
            frame.write(field)
        case .unusableList(let field):
            frame.write(2 as UInt8)
            frame.write(field)
        case .forbiddenCharacters(let text, let field):
            frame.write(3, text)
            frame.write(field)
        case .unusableRange(let low, let high, let field):
            frame.write(4 as UInt8)
            frame.write(low)
            frame.write(high)
            frame.write(field)
        case .tooMany(let field, let most):
            frame.write(5 as UInt8)
            frame.write(field)
            frame.write(most)
        case .sameID(let id): frame.write(6, id)
        case .missingFile(let voice): frame.write(7, voice)
        case .sameModelID(let id): frame.write(8, id)
        case .differsByCase(let id, let other):
            frame.write(9, id)
            frame.write(words: other)
        }
    }

    fileprivate init(from frame: inout FrameReader) throws {
        switch try frame.number(UInt8.self) {
        case 1: self = .unusable(try DescriptionField(from: &frame))
        case 2: self = .unusableList(try DescriptionField(from: &frame))
        case 3: self = .forbiddenCharacters(try frame.string(), in: try DescriptionField(from: &frame))
        case 4:
            self = .unusableRange(
                low: try frame.float(), high: try frame.float(), of: try DescriptionField(from: &frame))
        case 5: self = .tooMany(try DescriptionField(from: &frame), most: try frame.number())
        case 6: self = .sameID(try frame.string())
        case 7: self = .missingFile(voice: try frame.string())
        case 8: self = .sameModelID(try frame.string())
        case 9: self = .differsByCase(try frame.string(), from: try frame.string())
        default: throw MalformedFrame()
        }
    }
}

extension DescriptionField {
    fileprivate init(from frame: inout FrameReader) throws {
        self.init(try frame.value(), ofVoice: try frame.optionalString())
    }
}

extension FrameWriter {
    fileprivate mutating func write(_ number: UInt8, _ error: Errno) {
        write(number)
        write(error.code)
    }

    /// Writes text from an untrusted source, such as a name.
    fileprivate mutating func write(_ number: UInt8, _ words: String) {
        write(number)
        write(words: words)
    }

    fileprivate mutating func write(_ field: DescriptionField) {
        write(field.name.rawValue)
        write(words: field.voice)
    }
}

/// The outcome of a request on a lane.
package enum RequestOutcome: Equatable, Sendable {
    /// The text or audio was processed completely.
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

    init(from frame: inout FrameReader) throws {
        switch try frame.number(UInt8.self) {
        case 0: self = .done
        case 1: self = .cancelled
        case 2: self = .failed(try EngineError(from: &frame))
        default: throw MalformedFrame()
        }
    }
}
