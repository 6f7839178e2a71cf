import SynthAudio
import SynthHost
import System

/// The clips of the configuration whose files are not there, as findings of `doctor`.
struct MissingClips {
    let configuration: Configuration
    let file: ConfigurationFile

    var findings: [DoctorFinding] {
        let clips = ClipLibrary(configuration, from: file)
        return configuration.clips.keys.sorted().compactMap { name in
            guard let path = try? clips.file(named: name).path, RegularFile(path: path) == nil else { return nil }
            return DoctorFinding(
                .note, "configuration", "the clip \"\(name)\" has no file at \(path)",
                remedy: "Put it there, or type: synthhost config unset \(ShellWord.quoted("clips.\(name)"))")
        }
    }
}
