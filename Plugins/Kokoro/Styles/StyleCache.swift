import EngineKit
import Synchronization

/// The style tables that were used last, half a megabyte each.
final class StyleCache: Sendable {
    private struct Item {
        var key: String
        var table: StyleTable
    }

    private static let limit = 8

    private let contents: StyleFile.Contents?
    private let items = Mutex<[Item]>([])

    init(contents: StyleFile.Contents?) {
        self.contents = contents
    }

    func table(of voice: VoiceUse) throws(EngineError) -> StyleTable {
        let path = try voice.files.path(KokoroRole.style)
        // An own file under the id of a voice of the registry has this ending in the store, but not in an archive of tables.
        let name = voice.speaker ?? (voice.id.hasSuffix("-own") ? String(voice.id.dropLast(4)) : voice.id)
        // No path contains a NUL byte.
        let key = path + "\0" + name
        let kept: StyleTable? = items.withLock { items in
            guard let index = items.firstIndex(where: { $0.key == key }) else { return nil }
            let item = items.remove(at: index)
            items.append(item)
            return item.table
        }
        if let kept { return kept }
        do throws(StyleTable.Failure) {
            let table = try StyleFile.table(at: path, voice: name, contents: contents)
            items.withLock { items in
                items.append(Item(key: key, table: table))
                if items.count > Self.limit { items.removeFirst() }
            }
            return table
        } catch {
            throw KokoroFailure.style(error.description, of: name)
        }
    }
}
