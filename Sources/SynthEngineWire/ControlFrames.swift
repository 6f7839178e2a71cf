/// A request from the host on the control socket. The worker replies to all requests except `cancel` in order, with one
/// `ControlReply` each, although a description may be split into several replies.
package enum ControlRequest: Equatable, Sendable {
    case describe
    /// Loads a model, which later frames refer to by the number `model`.
    case load(model: UInt32, LoadRequest)
    /// Opens a lane on a loaded model. The lane's socket is passed with the frame. The lane is closed when the host closes its end.
    case open(lane: UInt32, model: UInt32)
    /// Cancels this request and all earlier requests of the lane.
    case cancel(lane: UInt32, serial: UInt64)
    /// Unloads a model. The host has already closed the model's lanes; the worker waits until the engine has closed
    /// them too. Later frames do not refer to the model. The reply is sent once the model's memory is
    /// free.
    case unload(model: UInt32)
}

/// A reply from the worker on the control socket.
package enum ControlReply: Equatable, Sendable {
    /// The file was rejected; the worker exits.
    case refused(Refusal)
    /// A part of the encoded `EngineDescription`.
    case description(part: [UInt8], isLast: Bool)
    /// The model is loaded or unloaded, or the lane is open.
    case done
    case failed(EngineError)
    /// A line from the engine's log. It can arrive between any two other replies.
    case log(LogSeverity, String)
}

/// The parameters of an engine's `load`.
package struct LoadRequest: Hashable, Sendable {
    /// The model's ID.
    package var id: String
    /// The number of CPU threads per utterance; 0 to let the engine decide.
    package var threads: UInt32
    /// An existing folder for this engine only; nil if the engine may not write files.
    package var cacheDirectory: String?
    package var files: [HandedFile]

    package init(id: String, threads: UInt32 = 0, cacheDirectory: String? = nil, files: [HandedFile] = []) {
        self.id = id
        self.threads = threads
        self.cacheDirectory = cacheDirectory
        self.files = files
    }
}

/// A complete, verified file.
package struct HandedFile: Hashable, Sendable {
    package var role: String
    /// An absolute path.
    package var path: String

    package init(role: String, path: String) {
        self.role = role
        self.path = path
    }
}

/// Why an engine could not complete a request.
package struct EngineError: Equatable, Sendable {
    /// The category of an error. The raw values up to `failed` match `synth_status`.
    package enum Kind: UInt8, Frame {
        /// This text, voice or setting is not supported, but other requests may succeed.
        case badRequest = 2
        case missingFile = 3
        case badFile = 4
        case noMemory = 5
        case failed = 6
        /// The engine violated its interface contract; the worker process created the message.
        case violatedContract = 100
    }
    package var kind: Kind
    /// A sentence from the engine; empty if it gave no reason.
    package var message: String
    /// The role of the missing or invalid file.
    package var role: String?

    package init(_ kind: Kind, _ message: String, role: String? = nil) {
        self.kind = kind
        self.message = message
        self.role = role
    }
}

/// The severity of a log line. The raw values match `synth_severity`.
package enum LogSeverity: UInt8, Frame {
    case debug = 0
    case info = 1
    case warning = 2
}

extension ControlRequest: Frame {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .describe: frame.write(1 as UInt8)
        case .load(let model, let load): frame.write(2 as UInt8, model, load)
        case .open(let lane, let model): frame.write(3 as UInt8, lane, model)
        case .cancel(let lane, let serial): frame.write(4 as UInt8, lane, serial)
        case .unload(let model): frame.write(5 as UInt8, model)
        }
    }

    package init(from frame: inout FrameReader) throws {
        switch try frame.read(UInt8.self) {
        case 1: self = .describe
        case 2: self = .load(model: try frame.read(), try frame.read())
        case 3: self = .open(lane: try frame.read(), model: try frame.read())
        case 4: self = .cancel(lane: try frame.read(), serial: try frame.read())
        case 5: self = .unload(model: try frame.read())
        default: throw MalformedFrame()
        }
    }
}

extension ControlReply: Frame {
    package func write(to frame: inout FrameWriter) {
        switch self {
        case .refused(let refusal): frame.write(1 as UInt8, refusal)
        case .description(let part, let isLast):
            frame.write(2 as UInt8, isLast)
            frame.write(raw: part)
        case .done: frame.write(3 as UInt8)
        case .failed(let error): frame.write(4 as UInt8, error)
        case .log(let severity, let line):
            frame.write(5 as UInt8, severity)
            frame.write(words: line)
        }
    }

    package init(from frame: inout FrameReader) throws {
        switch try frame.read(UInt8.self) {
        case 1: self = .refused(try frame.read())
        case 2:
            let isLast = try frame.read(Bool.self)
            self = .description(part: Array(frame.remaining()), isLast: isLast)
        case 3: self = .done
        case 4: self = .failed(try frame.read())
        case 5: self = .log(try frame.read(), try frame.read())
        default: throw MalformedFrame()
        }
    }
}

extension LoadRequest: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(id, threads, cacheDirectory, files) }

    package init(from frame: inout FrameReader) throws {
        self.init(
            id: try frame.read(), threads: try frame.read(), cacheDirectory: try frame.read(), files: try frame.read())
    }
}

extension HandedFile: Frame {
    package func write(to frame: inout FrameWriter) { frame.write(role, path) }

    package init(from frame: inout FrameReader) throws { self.init(role: try frame.read(), path: try frame.read()) }
}

extension EngineError: Frame {
    package func write(to frame: inout FrameWriter) {
        frame.write(kind)
        frame.write(words: message)
        frame.write(words: role)
    }

    package init(from frame: inout FrameReader) throws {
        self.init(try frame.read(), try frame.read(), role: try frame.read())
    }
}
