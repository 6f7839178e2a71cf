import Foundation
import Testing

/// The modules in `Sources` form layers, and each module depends only on modules in lower layers.
@Suite("Module structure")
struct LayersTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Self.root)/\(path)", encoding: .utf8)
    }

    /// Each module's dependencies, and its layer according to comments in the manifest.
    private func manifest() throws -> (layers: [String: Int], dependencies: [String: [String]]) {
        var layers: [String: Int] = [:]
        var dependencies: [String: [String]] = [:]
        var layer: Int?
        var module: String?
        for line in try text("Package.swift").split(separator: "\n").map(String.init) {
            if let match = line.firstMatch(of: /\/\/ Layer (\d+)/) { layer = Int(match.1) }
            if line.contains("// The engines.") { break }
            guard let layer else { continue }
            var rest = line[...]
            if let match = line.firstMatch(of: /^ +(?:library|program|system)\("([^"]+)"/) {
                module = String(match.1)
                layers[String(match.1)] = layer
                rest = line[match.range.upperBound...]
            }
            guard let module, !rest.contains("debian:") else { continue }
            for names in rest.matches(of: /"([A-Za-z0-9 ]+)"/) {
                dependencies[module, default: []] += names.1.split(separator: " ").map(String.init)
            }
        }
        return (layers, dependencies)
    }

    @Test("Modules depend only on modules in lower layers")
    func dependencies() throws {
        let (layers, dependencies) = try manifest()
        #expect(layers.count > 15 && dependencies["SynthUserVoices"]?.contains("SynthEngineProcesses") == true)
        for (module, others) in dependencies {
            for other in others {
                guard let below = layers[other], let here = layers[module] else { continue }
                #expect(below < here, "\(module) depends on \(other)")
            }
        }
    }

    @Test("Modules import only their dependencies")
    func imports() throws {
        let (layers, dependencies) = try manifest()
        let sources = "\(Self.root)/Sources"
        for path in FileManager.default.enumerator(atPath: sources)?.compactMap({ $0 as? String }) ?? []
        where path.hasSuffix(".swift") {
            let module = String(path.prefix { $0 != "/" })
            for line in try text("Sources/\(path)").split(separator: "\n") where line.contains("import ") {
                guard let match = line.wholeMatch(of: /(?:package |public |@testable )?import (\w+)/) else { continue }
                let imported = String(match.1)
                guard layers[imported] != nil, imported != module else { continue }
                #expect(dependencies[module]?.contains(imported) == true, "\(path) imports \(imported)")
            }
        }
    }

    /// An installed tree contains none of Foundation's libraries, the smallest of which is 7 MB.
    @Test("Modules do not use Foundation")
    func foundation() throws {
        var checked = 0
        for folder in ["Sources", "Plugins"] {
            for path in FileManager.default.enumerator(atPath: "\(Self.root)/\(folder)")?.compactMap({ $0 as? String })
                ?? []
            where path.hasSuffix(".swift") {
                checked += 1
                #expect(!(try text("\(folder)/\(path)")).contains("import Foundation"), "\(folder)/\(path)")
            }
        }
        #expect(checked > 400)
    }

    /// Commands use engines and voices only through `SynthHost`. Commands that check an engine start `synthhost-check`
    /// directly.
    @Test("Commands do not use the engines' own interfaces or the store")
    func commandImports() throws {
        var checked = 0
        for folder in ["synthhost-cli/Commands", "synthhost-cli/Library"].map({
            "Sources/\($0)"
        }) {
            for path in FileManager.default.enumerator(atPath: "\(Self.root)/\(folder)")?.compactMap({ $0 as? String })
                ?? []
            where path.hasSuffix(".swift") {
                checked += 1
                // `SynthEngineWire` declares the descriptions of engines and recognizers, and why a transcript omits text.
                let allowed =
                    path.hasPrefix("Engines/")
                    ? ["SynthEngineProcesses", "SynthEngineWire"]
                    : path.hasPrefix("Listening/") || path.hasPrefix("Configuration/") ? ["SynthEngineWire"] : []
                for line in try text("\(folder)/\(path)").split(separator: "\n") where line.contains("import ") {
                    if allowed.contains(where: { line.hasSuffix("import \($0)") }) { continue }
                    #expect(
                        line.firstMatch(
                            of:
                                /^[^\/]*\bimport (?:\w+ )?(?:SynthEngineProcesses|SynthEngineWire|SynthModelStore)\b/
                        )
                            == nil, "\(path): \(line)")
                }
            }
        }
        #expect(checked > 40)
    }

    /// A module with a common name can hide or replace a module of another package in the same program.
    @Test("Module names identify the project, and the manifest is short")
    func names() throws {
        let (layers, _) = try manifest()
        for name in layers.keys {
            #expect(name.firstMatch(of: /^(?:Synth|CSynth|synthhost-)|^EngineKit$/) != nil, "\(name)")
        }
        let lines = try text("Package.swift").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 301)
        for line in lines {
            guard let match = line.firstMatch(of: /^ +part\("([^"]+)"/) else { continue }
            #expect(match.1.firstMatch(of: /^C?Synth/) != nil, "\(line)")
        }
    }

    @Test("`Sources/README.md` lists all modules and their layers")
    func map() throws {
        let (layers, _) = try manifest()
        var mapped: [String: Int] = [:]
        for line in try text("Sources/README.md").split(separator: "\n") {
            guard let match = line.firstMatch(of: /^\| (\d+) \| ([^|]+) \|/) else { continue }
            for name in match.2.matches(of: /`([^`]+)`/) { mapped[String(name.1)] = Int(match.1) }
        }
        for (module, layer) in layers {
            // The module maps of system libraries share a row of the table, which does not name them.
            let isMap = module.hasPrefix("C") && mapped[module] == nil
            #expect(isMap && layer == 0 || mapped[module] == layer, "\(module)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/Sources")
        #expect(Set(names.map { $0.lowercased() }).count == names.count)
        for name in names where name != "README.md" { #expect(layers[name] != nil, "\(name)") }
    }

    @Test("No two folders depend on each other")
    func folders() throws {
        let result = try ScriptHome().run("synthhost/Scripts/house --pairs")
        #expect(result.status == 0)
        let found = result.output.split(separator: "\n").filter { !$0.hasPrefix("+") }
        #expect(found.isEmpty, "`Scripts/house MODULE` shows the references between folders that use each other.")
    }

    /// A file covers one subject, usually in 60 to 250 lines.
    @Test("Files are of reasonable length")
    func lengths() throws {
        var lengths: [Int] = []
        for part in ["Sources", "Plugins"] {
            for path in FileManager.default.enumerator(atPath: "\(Self.root)/\(part)")?.compactMap({ $0 as? String })
                ?? []
            where path.hasSuffix(".swift") {
                lengths.append(try text("\(part)/\(path)").utf8.count { $0 == UInt8(ascii: "\n") })
            }
        }
        #expect(lengths.count <= 900)
        #expect(lengths.sorted()[lengths.count / 2] >= 70)
        #expect(lengths.count { $0 < 20 } <= 60)
        #expect(lengths.count { $0 > 350 } == 0)
    }

    @Test("No folder contains more than 16 Swift files")
    func size() throws {
        for part in ["Sources", "Plugins"] {
            var counts: [String: Int] = [:]
            for path in FileManager.default.enumerator(atPath: "\(Self.root)/\(part)")?.compactMap({ $0 as? String })
                ?? []
            where path.hasSuffix(".swift") {
                counts[(path as NSString).deletingLastPathComponent, default: 0] += 1
            }
            #expect(!counts.isEmpty)
            for (folder, count) in counts { #expect(count <= 16, "\(part)/\(folder)") }
        }
    }
}
