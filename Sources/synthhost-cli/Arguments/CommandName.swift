/// A command that runs.
enum CommandName: String, CaseIterable, Sendable {
    case speak
    case play
    case serve
    case voices
    case voicesChoose = "voices choose"
    case voicesFavourite = "voices favourite"
    case voicesUnfavourite = "voices unfavourite"
    case voicesHide = "voices hide"
    case voicesUnhide = "voices unhide"
    case setup
    case modelsList = "models list"
    case modelsPull = "models pull"
    case modelsRemove = "models remove"
    case modelsVerify = "models verify"
    case modelsPrune = "models prune"
    case modelsAdd = "models add"
    case modelsPath = "models path"
    case modelsRegistry = "models registry"
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
