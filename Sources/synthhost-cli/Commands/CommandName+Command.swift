extension CommandName {
    /// The type that runs the command.
    var command: any Command.Type {
        switch self {
        case .speak: SpeakCommand.self
        case .play: PlayCommand.self
        case .serve: ServeCommand.self
        case .voices: VoicesCommand.self
        case .voicesChoose: VoicesChooseCommand.self
        case .voicesFavourite: VoicesFavouriteCommand.self
        case .voicesUnfavourite: VoicesUnfavouriteCommand.self
        case .voicesHide: VoicesHideCommand.self
        case .voicesUnhide: VoicesUnhideCommand.self
        case .setup: SetupCommand.self
        case .modelsList: ModelsListCommand.self
        case .modelsPull: ModelsPullCommand.self
        case .modelsRemove: ModelsRemoveCommand.self
        case .modelsVerify: ModelsVerifyCommand.self
        case .modelsPrune: ModelsPruneCommand.self
        case .modelsAdd: ModelsAddCommand.self
        case .modelsPath: ModelsPathCommand.self
        case .modelsRegistry: ModelsRegistryCommand.self
        case .enginesList: EnginesListCommand.self
        case .enginesValidate: EnginesValidateCommand.self
        case .configGet: ConfigGetCommand.self
        case .configSet: ConfigSetCommand.self
        case .configUnset: ConfigUnsetCommand.self
        case .configPath: ConfigPathCommand.self
        case .configShow: ConfigShowCommand.self
        case .doctor: DoctorCommand.self
        case .help: HelpCommand.self
        }
    }
}
