package import SynthHost

/// What a service takes on.
package struct ServiceLimits: Sendable {
    /// Clients of one door at once. When there are more, one goes that moves nothing, or the next is told to come later.
    package var clients = 128
    /// The same of a door for browsers, which hold several connections open.
    package var webClients = 256
    /// Clients of one door above these, which are told so; over HTTP who has the token is served there all the same.
    package var reserve = 32
    /// How long a client may take nothing of what it asked for before it may have to go for another one.
    package var grace = Duration.seconds(5)
    /// Pages and programs that listen to what changes, at once; and as many that have the token.
    package var eventStreams = 64
    /// Requests of one host over HTTP, in a second and at once.
    package var webRequestsPerSecond = 500
    package var webRequestsAtOnce = 1000
    /// Bytes of all requests' bodies over HTTP that are held at once.
    package var webBodyBytes = 64 << 20
    /// Bytes of a document that is read over HTTP. A book with pictures has some megabytes.
    package var documentBytes = 32 << 20
    /// Documents that are read at once.
    package var documents = 2
    /// How long reading one may take, but for time in which its reader waits for the machine.
    package var documentTime = Duration.seconds(20)
    /// Bytes of answers over HTTP that are sent when they are whole, all together.
    package var spoolBytes = 4 << 30
    /// Where they take room, but for short ones.
    package var spoolFolder = "/var/tmp"
    /// Bytes of all texts that one client waits for, UTF-8.
    package var textBytes = 1 << 20
    /// Bytes of memory that long texts may take while they wait and are spoken, those of all clients together.
    package var textMemory = 96 << 20
    /// Bytes of a recording that somebody wants understood.
    package var recordingBytes = 256 << 20
    /// Bytes of all such recordings that are there or come, all together.
    package var recordingSpoolBytes = 4 << 30
    /// Such recordings that are understood, or wait for it, at once.
    package var recordings = 16
    /// How long such a recording may last.
    package var recordingTime = Duration.seconds(2 * 60 * 60)
    /// How long a sound may last that is understood while it comes, and how long nothing of it may come.
    package var liveTime = Duration.seconds(5 * 60)
    package var livePause = Duration.seconds(30)
    /// Clients of the realtime socket at once.
    package var realtimeSessions = 32
    /// Bytes of memory that such sounds may take while they wait for a recognizer, those of all clients together.
    package var soundMemory = 96 << 20
    /// Bytes of what is understood of one sound, UTF-8: no person says more in its time.
    package var transcriptBytes = 4 << 20
    /// How long a model stays loaded that nobody speaks with.
    package var idle = Duration.seconds(600)
    /// Models that stay loaded; those that speak count, and may be more.
    package var models = 8
    /// Bytes that the engines' processes may take before models are dropped that nobody speaks with.
    package var memory: UInt64 = 2 << 30
    /// How long others speak for an engine that fails again and again.
    package var rest = Duration.seconds(60)
    /// How long a voice that could not be loaded is not loaded ahead again.
    package var pauseOfLoading = Duration.seconds(30)
    /// How long a client may take nothing of what it asked for.
    package var patience = Duration.seconds(60)

    package init() {}
}

/// What clients are told, in words for people: those of the program that serves.
package struct ServiceWords: Sendable {
    package let version: String
    package let sentence: @Sendable (SpeechError) -> String
    /// A word for programs.
    package let code: @Sendable (SpeechError) -> String
    /// What was done otherwise than a client asked, for whoever runs the program. Any thread.
    package let note: @Sendable (SpeechNotice) -> Void
    /// A sentence and a word for programs.
    package let hearing: @Sendable (SpeechError) -> (text: String, code: String)
    /// To a client for whom there is no place.
    package let busy: String
    package let malformed: String
    package let tooLong: String
    package let nothingToSay: String

    package init(
        version: String, malformed: String, tooLong: String, busy: String, nothingToSay: String = "nothing to say",
        sentence: @escaping @Sendable (SpeechError) -> String,
        code: @escaping @Sendable (SpeechError) -> String,
        hearing: @escaping @Sendable (SpeechError) -> (text: String, code: String) = { ("\($0)", "failure") },
        note: @escaping @Sendable (SpeechNotice) -> Void
    ) {
        self.hearing = hearing
        self.busy = busy
        self.note = note
        self.version = version
        self.sentence = sentence
        self.code = code
        self.malformed = malformed
        self.tooLong = tooLong
        self.nothingToSay = nothingToSay
    }
}
