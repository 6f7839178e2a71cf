extension SpeechError.Remedy {
    /// What an output is.
    public enum Output: Hashable, Sendable {
        /// The sound of a text.
        case sound
        /// A file that says when words are spoken.
        case timings
        /// Text that a command prints.
        case text
        /// The files of voices and models.
        case voices
    }

    /// What a sound device is used for.
    public enum Device: Hashable, Sendable {
        /// It plays.
        case output
        /// It records.
        case microphone
    }

    /// Why a download ended.
    public enum Obstacle: Hashable, Sendable {
        /// No server could be reached.
        case network
        /// The network is not to be used.
        case offline
        /// The disk is full.
        case fullDisk
        /// This folder cannot be written.
        case permissions(String)
        /// A limit of this user is smaller than the file.
        case fileLimit
        /// The program that downloads crashed.
        case crash
        /// Another process changed the files.
        case change
    }

    /// Whose right to write a file is in the way.
    public enum Rights: Hashable, Sendable {
        /// Every user may write it.
        case everybody
        /// The members of its group may write it.
        case group
        /// Users in its access list.
        case accessList
    }

    /// What an engine asks for and is not allowed.
    public struct Need: Hashable, Sendable {
        /// "the network".
        public let what: String
        /// The word by which it is allowed.
        public let word: String
        /// The variable of the environment that it is; nil = it is something else.
        public let variable: String?
        /// Why, in the words of the engine.
        public let reason: String

        package init(what: String, word: String, variable: String?, reason: String) {
            (self.what, self.word, self.variable, self.reason) = (what, word, variable, reason)
        }
    }

    /// Files that the user could add together.
    public struct Addition: Hashable, Sendable {
        /// Files and folders.
        public var paths: [String]
        /// BCP-47; nil = the files say it.
        public var language: String?
        /// An id; nil = the files say it.
        public var engine: String?

        package init(paths: [String], language: String? = nil, engine: String? = nil) {
            (self.paths, self.language, self.engine) = (paths, language, engine)
        }
    }

    /// A limit of this user.
    public enum Limit: Hashable, Sendable {
        case threads, descriptors, fileSize
    }

    /// What to do with a file of the page.
    public enum PageRepair: Hashable, Sendable {
        /// Install synthhost again.
        case reinstall
        /// Correct the file, or install synthhost again.
        case correct
        /// Look at its permissions.
        case permit
    }

    /// What to do with the file of the token.
    public enum TokenRepair: Hashable, Sendable {
        /// Choose another file.
        case chooseOther
        /// Make it this user's, or choose another one.
        case own
        /// Let nobody else read this file.
        case hide(String)
        /// Write a token into it.
        case write
    }
}
