extension SpeechError {
    /// The details in the message as typed values. A value that does not apply to the error is nil or empty.
    public struct Facts: Hashable, Sendable {
        /// A file or a folder.
        public var path: String?
        /// The line number in the file or the text, starting at 1.
        public var line: Int?
        /// The column number in the line, starting at 1.
        public var column: Int?
        /// The byte offset in the text, starting at 0.
        public var byte: Int?
        /// The frame number in the audio, starting at 0.
        public var frame: Int?
        /// A name from the request, such as the name of a clip, a speaker, a format or a key.
        public var name: String?
        /// A voice's title or ID.
        public var voice: String?
        /// The ID or file name of an engine or a recognizer.
        public var engine: String?
        /// The model of a recognizer.
        public var model: String?
        /// A BCP 47 language tag.
        public var language: String?
        /// A sound device.
        public var device: String?
        /// The file name of a shared library.
        public var library: String?
        /// The reason reported by the system, a library, a server or an engine.
        public var reason: String?
        /// Valid names, or names that the user may have meant.
        public var candidates: [String]
        /// The `errno` of a system call.
        public var errno: Int32?
        /// The HTTP status of a response, or the exit status of a process.
        public var status: Int?
        /// A size in bytes, or the number of missing bytes.
        public var bytes: Int64?
        /// The limit that was exceeded.
        public var limit: Int64?
        /// The signal that ended a process.
        public var signal: Int32?
        /// The ID of the process that is using the same files.
        public var process: Int32?
        /// The elapsed time, or the time limit.
        public var duration: Duration?
        /// The number of files, voices or parts.
        public var count: Int?

        package init(
            path: String? = nil, line: Int? = nil, column: Int? = nil, byte: Int? = nil, frame: Int? = nil,
            name: String? = nil, voice: String? = nil, engine: String? = nil, model: String? = nil,
            language: String? = nil, device: String? = nil, library: String? = nil, reason: String? = nil,
            candidates: [String] = [], errno: Int32? = nil, status: Int? = nil, bytes: Int64? = nil,
            limit: Int64? = nil, signal: Int32? = nil, process: Int32? = nil, duration: Duration? = nil,
            count: Int? = nil
        ) {
            (self.path, self.line, self.column, self.byte, self.frame) = (path, line, column, byte, frame)
            (self.name, self.voice, self.engine, self.model, self.language) = (name, voice, engine, model, language)
            (self.device, self.library, self.reason, self.candidates) = (device, library, reason, candidates)
            (self.errno, self.status, self.bytes, self.limit) = (errno, status, bytes, limit)
            (self.signal, self.process, self.duration, self.count) = (signal, process, duration, count)
        }
    }
}
