import SynthHost
import System
import VoiceCatalogue

/// The names in the configuration that mean no voice which is known here, as findings of `doctor`.
struct StrayNames {
    private let configuration: Configuration
    private let context: CommandContext
    private let inventory: Inventory

    init(_ context: CommandContext, _ configuration: Configuration, _ inventory: Inventory) {
        self.context = context
        self.configuration = configuration
        self.inventory = inventory
    }

    /// None if nothing is named, or if the voices are not known because a registry cannot be read.
    var findings: [DoctorFinding] {
        let profiles = configuration.profiles.keys.sorted()
        if profiles.isEmpty, configuration.favourites.isEmpty, configuration.hidden.isEmpty { return [] }
        guard let voices = try? VoiceLibrary(context, configuration, inventory).everyVoice else { return [] }
        func strays(_ names: [String]) -> [String] { VoiceNames.strays(names, among: voices) }
        return strays(profiles).map { name in
            DoctorFinding(
                .note, "configuration", "the profile \"\(name)\" is of no voice that is known here",
                remedy: "To remove it, type: synthhost config unset \(ShellWord.quoted("profiles.\(name)"))")
        }
            + strays(configuration.favourites).map { name in
                DoctorFinding(
                    .note, "configuration", "the favourite \"\(name)\" is no voice that is known here",
                    remedy: "To remove it, type: synthhost voices unfavourite \(ShellWord.quoted(name))")
            }
            + strays(configuration.hidden).map { name in
                DoctorFinding(
                    .note, "configuration", "the hidden voice \"\(name)\" is not known here",
                    remedy: "To remove it, type: synthhost voices unhide \(ShellWord.quoted(name))")
            }
    }
}
