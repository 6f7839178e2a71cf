extension SpeechError.Remedy {
    /// The kind of an output.
    public enum Output: Hashable, Sendable {
        /// Audio.
        case sound
        /// A file with the times of words.
        case timings
        /// Text that a command prints.
        case text
        /// Files of voices and models.
        case voices
    }

    /// The use of a sound device.
    public enum Device: Hashable, Sendable {
        /// Playback.
        case output
        /// Recording.
        case microphone
    }

    /// Why a download ended.
    public enum Obstacle: Hashable, Sendable {
        /// No server could be reached.
        case network
        /// Use of the network was turned off.
        case offline
        /// The disk is full.
        case fullDisk
        /// This folder cannot be written.
        case permissions(String)
        /// The file exceeds a limit of this user.
        case fileLimit
        /// The program that downloads crashed.
        case crash
        /// Another process changed the files.
        case change
    }

    /// The users whose write permission on a file is the problem.
    public enum Rights: Hashable, Sendable {
        /// All users.
        case everybody
        /// The members of the file's group.
        case group
        /// Users in the file's access list.
        case accessList
    }

    /// Something that an engine requires and is not allowed.
    public struct Need: Hashable, Sendable {
        /// "the network".
        public let what: String
        /// The keyword that allows it.
        public let word: String
        /// The environment variable, if the need is one; otherwise nil.
        public let variable: String?
        /// The reason that the engine gives.
        public let reason: String

        package init(what: String, word: String, variable: String?, reason: String) {
            (self.what, self.word, self.variable, self.reason) = (what, word, variable, reason)
        }
    }

    /// Files that the user could add together.
    public struct Addition: Hashable, Sendable {
        /// Files and folders.
        public var paths: [String]
        /// A BCP 47 tag; nil if the files state it.
        public var language: String?
        /// An engine id; nil if the files state it.
        public var engine: String?

        package init(paths: [String], language: String? = nil, engine: String? = nil) {
            (self.paths, self.language, self.engine) = (paths, language, engine)
        }
    }

    /// A limit of this user.
    public enum Limit: Hashable, Sendable {
        case threads, descriptors, fileSize
    }

    /// How to repair a file of the web page.
    public enum PageRepair: Hashable, Sendable {
        /// Install synthhost again.
        case reinstall
        /// Correct the file, or install synthhost again.
        case correct
        /// Check its permissions.
        case permit
    }

    /// How to repair the token file.
    public enum TokenRepair: Hashable, Sendable {
        /// Choose another file.
        case chooseOther
        /// Change the owner to this user, or choose another file.
        case own
        /// Deny other users read access to this file.
        case hide(String)
        /// Write a token into it.
        case write
    }
}
