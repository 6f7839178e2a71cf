import Engines
import EngineWire
import ModelStore
import System
package import VoiceCatalogue

extension Inventory {
    /// All voices of the engines that are here, in the order of a long list.
    package func libraryVoices() throws(SpeechFailure) -> [LibraryVoice] {
        let directory: VoiceDirectory
        do throws(RegistryError) {
            directory = try all()
        } catch {
            throw .registry(error)
        }
        let marks = VoiceMarks(host.presets)
        return marks.favouritesFirst(nearestFirst(directory.voices)).map { libraryVoice($0, marks) }
    }

    private func libraryVoice(_ voice: Voice, _ marks: VoiceMarks) -> LibraryVoice {
        let known = self.voice(VoiceChoice(voice: voice), marks)
        let isStored = host.store.holds(voice)
        // What is installed need not be what a new download would bring.
        let onDisk = isStored && known.state == .ready ? host.store.diskUse(of: voice)?.size : nil
        return LibraryVoice(
            known, starter: voice.starter, size: onDisk ?? voice.downloadSize, isRemovable: isStored)
    }

    /// The voice that speaks if none is named; nil = there is none.
    package var chosen: Voice? { (try? choose(completed(VoiceQuery())))?.voice }

    /// The user's language without its region; English if that is unknown.
    package var nearLanguage: String { String((host.language ?? "en").prefix { $0 != "-" }) }

    /// Puts built-in voices last, because an engine may have a hundred of them.
    package func builtInLast(_ voices: [Voice]) -> [Voice] {
        let isBuiltIn = voices.map { condition(of: $0) == .builtIn }
        return zip(voices, isBuiltIn).filter { !$0.1 }.map(\.0) + zip(voices, isBuiltIn).filter(\.1).map(\.0)
    }

    /// Puts voices of the user's language first, and in both groups the built-in ones last.
    package func nearestFirst(_ voices: [Voice]) -> [Voice] {
        builtInLast(voices.filter { $0.speaks(nearLanguage) }) + builtInLast(voices.filter { !$0.speaks(nearLanguage) })
    }

    /// What is loaded to speak with a voice; nil = its engine or its files are not here.
    package func model(of voice: Voice) -> ModelKey? {
        guard let plugin = plugin(of: voice), let engine = plugin.engine,
            let prepared = try? prepare(VoiceChoice(voice: voice), of: engine, isUse: false)
        else { return nil }
        return ModelKey(plugin: plugin.path, prepared.load)
    }
}
