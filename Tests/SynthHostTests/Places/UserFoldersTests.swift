import Testing

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("User folders")
struct UserFoldersTests {
    @Test("The folders are set by the XDG variables; otherwise, they are in the home folder")
    func places() {
        let folders = UserFolders(environment: ["HOME": "/home/ada", "XDG_CACHE_HOME": "/fast/cache"])
        #expect(folders.data == "/home/ada/.local/share/synthhost")
        #expect(folders.plugins == "/home/ada/.local/share/synthhost/plugins")
        #expect(folders.cache == "/fast/cache/synthhost")
        #expect(folders.state == "/home/ada/.local/state/synthhost")
    }

    @Test(
        "A variable that is empty or contains a relative path is ignored", arguments: ["", "data", "./data", "~/data"])
    func relative(value: String) {
        let folders = UserFolders(environment: ["HOME": "/home/ada", "XDG_DATA_HOME": value])
        #expect(folders.data == "/home/ada/.local/share/synthhost")
    }

    @Test("Without HOME, the home folder is looked up in the system")
    func homeless() {
        let folders = UserFolders(environment: [:])
        #expect(folders.data.hasPrefix("/") && folders.data.hasSuffix("/.local/share/synthhost"))
        #expect(UserFolders(environment: ["HOME": "here"]) == folders)
    }
}
