package import SynthHost
import VoiceCatalogue

extension LocalHost: VoiceLibraryBackend {
    package func library() throws(SpeechFailure) -> LibraryList {
        let inventory = inventory()
        return LibraryList(try inventory.libraryVoices(), chosen: inventory.chosen?.key)
    }

    package func remove(_ voice: LibraryVoice) throws(LibraryProblem) -> Int64 {
        do throws(VoiceRemoval.Failure) {
            return try inventory().remove(voice.voice.choice.voice).freed
        } catch {
            switch error {
            case .registry(let error): throw .speech(.registry(error))
            case .store: throw .notRemoved(error.problem ?? .busy(process: nil), title: voice.voice.title)
            case .configuration(let error): throw .configuration(error)
            }
        }
    }

    package func tune(_ voice: LibraryVoice, to profile: VoiceProfile) throws(LibraryProblem) {
        do throws(ConfigurationError) {
            try tune(voice.voice.choice.voice, to: profile)
        } catch {
            throw .configuration(error)
        }
    }

    package func choose(_ voice: LibraryVoice) throws(LibraryProblem) {
        let voice = voice.voice.choice.voice
        // What is downloaded later must not take its name.
        let name = (try? inventory().all())?.word(for: voice) ?? voice.id
        do throws(ConfigurationError) {
            try choose(name, of: voice.engine)
        } catch {
            throw .configuration(error)
        }
    }

    package func model(of voice: LibraryVoice) -> ModelKey? { inventory().model(of: voice.voice.choice.voice) }
}
