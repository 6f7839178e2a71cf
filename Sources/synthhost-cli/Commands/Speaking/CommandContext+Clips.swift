import SynthHost

extension CommandContext {
    /// What names of clips mean: the files of the folder that was named, then the clips of the configuration.
    func clips(_ arguments: ParsedArguments, _ configuration: Configuration) throws(CommandFailure) -> ClipLibrary {
        let configured = ClipLibrary(configuration, from: configurationFile(arguments)).noted(in: inUse)
        guard let folder = arguments[Options.clips] else { return configured }
        do throws(ClipNameError) {
            return try configured.adding(folder: folder)
        } catch {
            throw CommandFailure(SpeechFailure.clip(folder, .name(error)))
        }
    }
}
