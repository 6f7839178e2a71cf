/// What speech-dispatcher's server asks a module for. Source: the chapter "Communication Protocol for Output Modules" of its
/// manual.
enum ModuleRequest: Equatable, Sendable {
    case start
    /// The lines of a block are about to come, and are waited for until the server is invited to send them.
    case open(ModuleBlock)
    case audio(ModuleAssignments)
    case logLevel(ModuleAssignments)
    case set(ModuleAssignments)
    case say(ModuleMessage)
    /// A message that cannot be said.
    case refuse(ModuleReply)
    case listVoices(language: String?, variant: String?)
    case stop
    case pause
    /// nil = no more.
    case debug(file: String?)
    case quit
    case badSyntax
    case unknown
}
