import Foundation
import Testing

/// Detects paths in documents that are outdated because files were moved.
@Suite("Paths in documents")
struct DocumentPathsTests {
    /// The paths of all files and folders in the tree, and their last components.
    private let paths: Set<String>
    private let names: Set<String>
    private let documents: [String]
    /// The guides shown by `synthhost help`. One of them, a link to `Plugins/README.md`, is a document and therefore
    /// excluded.
    private let guides: [String]

    init() throws {
        var paths = Set(try FileManager.default.contentsOfDirectory(atPath: ScriptHome.checkout.path))
        for folder in ["Plugins", "Scripts", "Sources", "Tests"] {
            let inside = FileManager.default.enumerator(atPath: ScriptHome.checkout.appending(path: folder).path)
            for case let path as String in inside ?? .init() { paths.insert("\(folder)/\(path)") }
        }
        self.paths = paths
        names = Set(paths.map { ($0 as NSString).lastPathComponent })
        documents =
            ["CONTRIBUTING.md", "README.md", "SECURITY.md"] + paths.filter { $0.hasSuffix("/README.md") }.sorted()
        guides = paths.filter {
            $0.hasPrefix("Sources/synthhost-cli/Guides/") && $0.hasSuffix(".md") && !$0.hasSuffix("/writing-engines.md")
        }.sorted()
    }

    /// The words in backticks that must name files or folders in the tree: words with a typical file extension, words that begin
    /// with a module name and a slash, and words that end with a slash. Code blocks are skipped, because they contain commands.
    private func namedPaths(_ text: String) -> [String] {
        text.replacing(/```[\s\S]*?```/, with: "").matches(of: /`([^`\n]+)`/).flatMap { code in
            code.1.split(separator: " ").filter { word in
                word.wholeMatch(of: /[\w+.\/-]+\.(?:swift|js|css|svg|html|md|py)/) != nil
                    || word.wholeMatch(of: /[A-Z][\w-]*\/[\w+.\/-]*|[a-z][\w-]*\//) != nil
            }
        }.map(String.init)
    }

    /// Whether a path exists. Paths are relative to the root, to `Sources`, or to the document's folder. A name without a slash
    /// may be any file or folder in the tree.
    private func isThere(_ path: String, beside folder: String) -> Bool {
        let path = path.hasSuffix("/") ? String(path.dropLast()) : path
        return ["", "Sources", folder].contains {
            paths.contains(NSString(string: $0).appendingPathComponent(path))
        } || !path.contains("/") && names.contains(path)
    }

    @Test("Documents refer only to files and folders that exist")
    func namedFiles() throws {
        var checked = 0
        for document in documents {
            let text = try String(contentsOf: ScriptHome.checkout.appending(path: document), encoding: .utf8)
            let folder = (document as NSString).deletingLastPathComponent
            for path in namedPaths(text) {
                checked += 1
                #expect(isThere(path, beside: folder), "\(document) names \(path)")
            }
        }
        #expect(checked > 150)
    }

    @Test("Documents link only to files that exist")
    func links() throws {
        var checked = 0
        for document in documents + guides {
            let file = ScriptHome.checkout.appending(path: document)
            let text = try String(contentsOf: file, encoding: .utf8)
            for link in text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
                checked += 1
                let target = file.deletingLastPathComponent().appending(path: String(link.1))
                #expect(FileManager.default.fileExists(atPath: target.path), "\(document) links to \(link.1)")
            }
        }
        #expect(checked > 50)
    }
}
