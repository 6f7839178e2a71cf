import Testing

@testable import SynthEngineLoading

@Suite("Private groups of users")
struct AccountsTests {
    /// Ann and Carl have private groups. Bob's group has a different name, and Eve's has a second member.
    private let accounts = Accounts(
        user: { [1000: ("ann", 1000), 1001: ("bob", 100), 1002: ("carl", 2000), 1003: ("eve", 1003)][$0] },
        group: {
            [1000: ("ann", []), 100: ("users", []), 2000: ("carl", ["carl"]), 1003: ("eve", ["mallory"])][$0]
        },
        users: { [1000: ["ann"], 100: ["bob"], 2000: ["carl"], 1003: ["eve"]][$0] ?? [] })

    @Test("A private group has the user's name or number and no other members")
    func own() {
        #expect(accounts.isPrivate(1000, of: 1000))
        #expect(accounts.isPrivate(2000, of: 1002))
    }

    @Test("A group with other members, or another user's group, is not private")
    func shared() {
        #expect(!accounts.isPrivate(100, of: 1001))
        #expect(!accounts.isPrivate(1003, of: 1003))
        #expect(!accounts.isPrivate(1000, of: 1001))
        #expect(!accounts.isPrivate(1000, of: 77))
        var crowded = accounts
        crowded.users = { _ in ["ann", "mallory"] }
        #expect(!crowded.isPrivate(1000, of: 1000))
    }

    @Test("Users and groups are read from the system's files")
    func system() throws {
        let root = try #require(Accounts.ofSystem.user(0))
        #expect(root.name == "root" && root.group == 0)
        #expect(Accounts.ofSystem.group(0)?.name == "root")
        #expect(Accounts.ofSystem.users(0).contains("root"))
        #expect(Accounts.ofSystem.user(4_000_000_000) == nil)
    }
}
