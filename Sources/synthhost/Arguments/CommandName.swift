/// A command that runs.
enum CommandName: String, CaseIterable, Sendable {
    case speak
    case voices
    case enginesList = "engines list"
    case enginesValidate = "engines validate"
    case configGet = "config get"
    case configSet = "config set"
    case configUnset = "config unset"
    case configPath = "config path"
    case configShow = "config show"
    case doctor
    case help
}
