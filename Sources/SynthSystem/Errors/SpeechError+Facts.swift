extension SpeechError {
    /// What a message names: each value is nil unless the error is about it.
    public struct Facts: Hashable, Sendable {
        /// A file or a folder.
        public var path: String?
        /// In the file or the text, from 1.
        public var line: Int?
        /// In the line, from 1.
        public var column: Int?
        /// In the text, from 0.
        public var byte: Int?
        /// In the sound, from 0.
        public var frame: Int?
        /// What the request named: a clip, a speaker, a format, a key, a member.
        public var name: String?
        /// A voice, by its title or its id.
        public var voice: String?
        /// An engine or a recognizer, by its id or its file.
        public var engine: String?
        /// A recognizer's model.
        public var model: String?
        /// BCP-47.
        public var language: String?
        /// A sound device.
        public var device: String?
        /// A shared library, by its file name.
        public var library: String?
        /// Why, in the words of the system, a library, a server or an engine.
        public var reason: String?
        /// Names that may have been meant, or that exist.
        public var candidates: [String]
        /// The error number of a system call.
        public var errno: Int32?
        /// The status of a server's answer or of a process that ended.
        public var status: Int?
        /// The size of something, or how many bytes are missing.
        public var bytes: Int64?
        /// The most that is possible.
        public var limit: Int64?
        /// The signal that ended a process.
        public var signal: Int32?
        /// The process that uses the same files.
        public var process: Int32?
        /// How long something took, or may take.
        public var duration: Duration?
        /// How many files, voices or parts.
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
