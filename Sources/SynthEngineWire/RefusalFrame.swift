extension Refusal: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(part)
        switch flaw {
        case .cannotBeOpened(let error): frame.write(1 as UInt8, error)
        case .cannotBeRead(let error): frame.write(2 as UInt8, error)
        case .notRegularFile: frame.write(3 as UInt8)
        case .empty: frame.write(4 as UInt8)
        case .notSharedLibrary: frame.write(5 as UInt8)
        case .otherMachine: frame.write(6 as UInt8)
        case .damaged: frame.write(7 as UInt8)
        case .lacksLibrary(let name): frame.write(8, words: name)
        case .cannotBeLoaded(let words): frame.write(9, words: words)
        case .cannotBeMapped(let words): frame.write(10, words: words)
        case .ofOtherUser(let path): frame.write(11, words: path)
        case .writableByAll(let path): frame.write(12, words: path)
        case .writableByGroup(let path): frame.write(13, words: path)
        case .writableByOthers(let path): frame.write(14, words: path)
        case .unreadableAccessList(let error): frame.write(15 as UInt8, error)
        case .notAbsolute: frame.write(16 as UInt8)
        case .noEntry: frame.write(17 as UInt8)
        case .noRecognizer: frame.write(25 as UInt8)
        case .noTable(let version): frame.write(18 as UInt8, version)
        case .otherVersion(let version, let host): frame.write(19 as UInt8, version, host)
        case .missingFunction: frame.write(20 as UInt8)
        case .description(let flaw): frame.write(21 as UInt8, flaw)
        case .sharedFolder(let path): frame.write(22, words: path)
        case .absentFolder: frame.write(23 as UInt8)
        case .unconfined(let gap): frame.write(24 as UInt8, gap)
        }
    }

    package init(from frame: inout FrameReader) throws {
        part = try frame.read()
        flaw =
            switch try frame.read(UInt8.self) {
            case 1: .cannotBeOpened(try frame.read())
            case 2: .cannotBeRead(try frame.read())
            case 3: .notRegularFile
            case 4: .empty
            case 5: .notSharedLibrary
            case 6: .otherMachine
            case 7: .damaged
            case 8: .lacksLibrary(try frame.read())
            case 9: .cannotBeLoaded(try frame.read())
            case 10: .cannotBeMapped(try frame.read())
            case 11: .ofOtherUser(try frame.read())
            case 12: .writableByAll(try frame.read())
            case 13: .writableByGroup(try frame.read())
            case 14: .writableByOthers(try frame.read())
            case 15: .unreadableAccessList(try frame.read())
            case 16: .notAbsolute
            case 17: .noEntry
            case 18: .noTable(version: try frame.read())
            case 19: .otherVersion(try frame.read(), host: try frame.read())
            case 20: .missingFunction
            case 21: .description(try frame.read())
            case 22: .sharedFolder(try frame.read())
            case 23: .absentFolder
            case 24: .unconfined(try frame.read())
            case 25: .noRecognizer
            default: throw MalformedFrame()
            }
    }
}

extension EnginePart: Frame {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .file: frame.write(0 as UInt8)
        case .folder(let path): frame.write(1, words: path)
        case .library(let path): frame.write(2, words: path)
        case .searchFolder(let path, let library):
            frame.write(3, words: path)
            frame.write(words: library)
        case .searchElement(let text, let library):
            frame.write(4, words: text)
            frame.write(words: library)
        case .namedLibrary(let name, let library):
            frame.write(5, words: name)
            frame.write(words: library)
        }
    }

    package init(from frame: inout FrameReader) throws {
        switch try frame.read(UInt8.self) {
        case 0: self = .file
        case 1: self = .folder(try frame.read())
        case 2: self = .library(try frame.read())
        case 3: self = .searchFolder(try frame.read(), for: try frame.read())
        case 4: self = .searchElement(try frame.read(), for: try frame.read())
        case 5: self = .namedLibrary(try frame.read(), for: try frame.read())
        default: throw MalformedFrame()
        }
    }
}

extension DescriptionFlaw: Frame {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .unusable(let field): frame.write(1 as UInt8, field)
        case .unusableList(let field): frame.write(2 as UInt8, field)
        case .forbiddenCharacters(let text, let field):
            frame.write(3, words: text)
            frame.write(field)
        case .unusableRange(let low, let high, let field): frame.write(4 as UInt8, low, high, field)
        case .tooMany(let field, let most): frame.write(5 as UInt8, field, most)
        case .sameID(let id): frame.write(6, words: id)
        case .missingFile(let voice): frame.write(7, words: voice)
        case .sameModelID(let id): frame.write(8, words: id)
        case .differsByCase(let id, let other):
            frame.write(9, words: id)
            frame.write(words: other)
        }
    }

    package init(from frame: inout FrameReader) throws {
        switch try frame.read(UInt8.self) {
        case 1: self = .unusable(try frame.read())
        case 2: self = .unusableList(try frame.read())
        case 3: self = .forbiddenCharacters(try frame.read(), in: try frame.read())
        case 4: self = .unusableRange(low: try frame.read(), high: try frame.read(), of: try frame.read())
        case 5: self = .tooMany(try frame.read(), most: try frame.read())
        case 6: self = .sameID(try frame.read())
        case 7: self = .missingFile(voice: try frame.read())
        case 8: self = .sameModelID(try frame.read())
        case 9: self = .differsByCase(try frame.read(), from: try frame.read())
        default: throw MalformedFrame()
        }
    }
}

extension DescriptionField: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(name)
        frame.write(words: voice)
    }

    package init(from frame: inout FrameReader) throws { self.init(try frame.read(), ofVoice: try frame.read()) }
}

/// A name is encoded as its position in the list of all names, starting at 1.
extension DescriptionField.Name: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(UInt8((Self.allCases.firstIndex(of: self) ?? 0) + 1))
    }

    package init(from frame: inout FrameReader) throws {
        let index = Int(try frame.read(UInt8.self)) - 1
        guard Self.allCases.indices.contains(index) else { throw MalformedFrame() }
        self = Self.allCases[index]
    }
}

extension FrameWriter {
    /// Writes text from an untrusted source, such as a name.
    fileprivate mutating func write(_ number: UInt8, words: String) {
        write(number)
        write(words: words)
    }
}

/// The outcome of a request on a lane.
package enum RequestOutcome: Equatable, Sendable {
    /// The text or audio was processed to its end.
    case done
    case cancelled
    case failed(EngineError)
}

extension RequestOutcome: Frame {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .done: frame.write(0 as UInt8)
        case .cancelled: frame.write(1 as UInt8)
        case .failed(let error): frame.write(2 as UInt8, error)
        }
    }

    package init(from frame: inout FrameReader) throws {
        switch try frame.read(UInt8.self) {
        case 0: self = .done
        case 1: self = .cancelled
        case 2: self = .failed(try frame.read())
        default: throw MalformedFrame()
        }
    }
}
