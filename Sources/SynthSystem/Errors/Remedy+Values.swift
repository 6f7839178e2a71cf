extension SpeechError.Remedy {
    /// The kind of output.
    public enum Output: Hashable, Sendable {
        /// Audio.
        case sound
        /// A file with word timings.
        case timings
        /// Text that a command prints.
        case text
        /// Voice and model files.
        case voices
    }

    /// The use of a sound device.
    public enum Device: Hashable, Sendable {
        /// Playback.
        case output
        /// Recording.
        case microphone
    }

    /// Why a download failed.
    public enum Obstacle: Hashable, Sendable {
        /// No server could be reached.
        case network
        /// Network use was disabled.
        case offline
        /// The disk is full.
        case fullDisk
        /// The folder at this path cannot be written to.
        case permissions(String)
        /// The file exceeds a limit set for this user.
        case fileLimit
        /// The download program crashed.
        case crash
        /// Another process changed the files.
        case change
    }

    /// The users whose write permission on a file causes the problem.
    public enum Rights: Hashable, Sendable {
        /// All users.
        case everybody
        /// The members of the file's group.
        case group
        /// Users in the file's access list.
        case accessList
    }

    /// A permission that an engine requires but that the user has not granted.
    public struct Need: Hashable, Sendable {
        /// The resource that the engine needs, such as "the network".
        public let what: String
        /// The keyword that grants the permission.
        public let word: String
        /// The name of the environment variable that the engine needs, or nil if it needs something else.
        public let variable: String?
        /// The reason, as stated by the engine.
        public let reason: String

        package init(what: String, word: String, variable: String?, reason: String) {
            (self.what, self.word, self.variable, self.reason) = (what, word, variable, reason)
        }
    }

    /// Files that the user could add together.
    public struct Addition: Hashable, Sendable {
        /// Files and folders.
        public var paths: [String]
        /// A BCP 47 tag; nil if the files specify the language.
        public var language: String?
        /// An engine ID; nil if the files specify the engine.
        public var engine: String?

        package init(paths: [String], language: String? = nil, engine: String? = nil) {
            (self.paths, self.language, self.engine) = (paths, language, engine)
        }
    }

    /// A resource limit of this user.
    public enum Limit: Hashable, Sendable {
        case threads, descriptors, fileSize
    }

    /// The remedy for one of the web page's files.
    public enum PageRepair: Hashable, Sendable {
        /// Reinstall synthhost.
        case reinstall
        /// Correct the file, or reinstall synthhost.
        case correct
        /// Check the file's permissions.
        case permit
    }

    /// The remedy for the token file.
    public enum TokenRepair: Hashable, Sendable {
        /// Choose a different file.
        case chooseOther
        /// Make this user the owner, or choose a different file.
        case own
        /// Deny other users read access to this file.
        case hide(String)
        /// Write a token into the file.
        case write
    }
}
