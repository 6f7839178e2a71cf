# Builds programs that use the library together with modules that have common names. Scripts/release/test-install sources this file and
# defines `outside`.

# forget_neighbours: removes the programs' build results from the build folder, where later builds would find them.
forget_neighbours() {
    for module in System SystemPackage Subprocess Web Books Terminal asking crowded; do
        rm -rf "$root/.build/release/Modules/$module".* "$root/.build/release/$module.build"
    done
}

# neighbours FOLDER: writes two packages into the folder.
#   asking    imports a module `System` if it exists, as swift-subprocess does: it must not find one in the library
#   crowded   has modules named System, Web, Books and Terminal
neighbours() {
    mkdir -p "$1"/asking/Sources/SystemPackage "$1"/asking/Sources/Subprocess "$1"/asking/Sources/asking
    manifest asking >"$1/asking/Package.swift" \
        '.target(name: "SystemPackage"), .target(name: "Subprocess", dependencies: ["SystemPackage"]),' '"Subprocess"'
    # swift-subprocess imports its errors from `System` on systems that have it, and otherwise from a package.
    echo 'public struct Errno: Error { public let rawValue: Int32; public init(rawValue: Int32) { self.rawValue = rawValue } }' \
        >"$1/asking/Sources/SystemPackage/Errno.swift"
    cat >"$1/asking/Sources/Subprocess/Subprocess.swift" <<'SWIFT'
#if canImport(System)
@preconcurrency public import System
public let found = "System"
#else
public import SystemPackage
public let found = "SystemPackage"
#endif

public func run(_ code: Int32) throws(Errno) { if code != 0 { throw Errno(rawValue: code) } }
SWIFT
    cat >"$1/asking/Sources/asking/main.swift" <<'SWIFT'
import Subprocess
import SynthHost

try run(0)
print(found)
let host = try SpeechHost()
try await host.session(host.voice("English (America)")).speak("Hello.").write(to: CommandLine.arguments[1])
SWIFT
    mkdir -p "$1/crowded/Sources/crowded"
    for module in System Web Books Terminal; do
        mkdir -p "$1/crowded/Sources/$module"
        echo "public let name$module = \"$module\"" >"$1/crowded/Sources/$module/$module.swift"
    done
    manifest crowded >"$1/crowded/Package.swift" \
        '.target(name: "System"), .target(name: "Web"), .target(name: "Books"), .target(name: "Terminal"),' \
        '"System", "Web", "Books", "Terminal"'
    cat >"$1/crowded/Sources/crowded/main.swift" <<'SWIFT'
import Books
import SynthHost
import System
import Terminal
import Web

print(nameSystem, nameWeb, nameBooks, nameTerminal)
let host = try SpeechHost()
try await host.session(host.voice("English (America)")).speak("Hello.").write(to: CommandLine.arguments[1])
SWIFT
}

# manifest NAME TARGETS DEPENDENCIES: creates a package with a program of this name, which uses the library and these targets.
manifest() {
    cat <<SWIFT
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "$1",
    dependencies: [.package(name: "synthhost", path: "$root")],
    targets: [
        $2
        .executableTarget(name: "$1", dependencies: [$3, .product(name: "SynthHost", package: "synthhost")]),
    ])
SWIFT
}
