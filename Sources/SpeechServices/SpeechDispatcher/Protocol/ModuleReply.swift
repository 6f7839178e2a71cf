/// What a module answers, one line each.
enum ModuleReply: String, Sendable {
    case receivingMessage = "202 OK RECEIVING MESSAGE"
    case receivingSettings = "203 OK RECEIVING SETTINGS"
    case receivingAudio = "207 OK RECEIVING AUDIO SETTINGS"
    case receivingLogLevel = "207 OK RECEIVING LOGLEVEL SETTINGS"
    case speaking = "200 OK SPEAKING"
    case voicesSent = "200 OK VOICE LIST SENT"
    case debuggingOn = "200 OK DEBUGGING ON"
    case debuggingOff = "200 OK DEBUGGING OFF"
    case audioReady = "203 OK AUDIO INITIALIZED"
    case logLevelSet = "203 OK LOGLEVEL SET"
    case settingsReceived = "203 OK SETTINGS RECEIVED"
    case bye = "210 OK QUIT"
    case loaded = "299 OK LOADED SUCCESSFULLY"
    case unknownCommand = "300 ERR UNKNOWN COMMAND"
    case moduleError = "300 MODULE ERROR"
    case cannotSpeak = "301 ERROR CANT SPEAK"
    case badSyntax = "302 ERROR BAD SYNTAX"
    case badValue = "303 ERROR INVALID PARAMETER OR VALUE"
    case badDebugFile = "303 CANT OPEN CUSTOM DEBUG FILE"
    case noVoices = "304 CANT LIST VOICES"
    case severalLines = "305 DATA MORE THAN ONE LINE"
    case notLoaded = "399 ERR CANT INIT MODULE"

    var bytes: [UInt8] { Array(rawValue.utf8) + [0x0A] }

    /// The same after lines that say more, each with the code before it.
    func bytes(after lines: [String]) -> [UInt8] {
        lines.flatMap { line in Array("\(rawValue.prefix(3))-\(ModuleWord.line(line))\n".utf8) } + bytes
    }
}
