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
        let fallback = configuration.fallback ?? []
        if profiles.isEmpty, configuration.favourites.isEmpty, configuration.hidden.isEmpty, fallback.isEmpty {
            return []
        }
        guard let voices = try? VoiceLibrary(context, configuration, inventory).everyVoice else { return [] }
        func findings(_ names: [String], _ what: (String) -> String, removed: (String) -> String) -> [DoctorFinding] {
            VoiceNames.strays(names, among: voices).map { name in
                DoctorFinding(
                    .note, "configuration", what(name),
                    remedy: "To remove it, type: synthhost \(removed(name))")
            }
        }
        return findings(profiles) {
            "the profile \"\($0)\" is of no voice that is known here"
        } removed: {
            "config unset \(ShellWord.quoted("profiles.\($0)"))"
        }
            + findings(configuration.favourites) {
                "the favourite \"\($0)\" is no voice that is known here"
            } removed: {
                "voices unfavourite \(ShellWord.quoted($0))"
            }
            + findings(configuration.hidden) {
                "the hidden voice \"\($0)\" is not known here"
            } removed: {
                "voices unhide \(ShellWord.quoted($0))"
            }
            + findings(fallback) {
                "the fallback \"\($0)\" is no voice that is known here"
            } removed: { _ in
                let strays = VoiceNames.strays(fallback, among: voices)
                let rest = fallback.filter { !strays.contains($0) }
                return rest.isEmpty
                    ? "config unset \(ConfigurationKey.fallback)"
                    : "config set \(ConfigurationKey.fallback) \(ShellWord.quoted(rest.joined(separator: ", ")))"
            }
    }
}
