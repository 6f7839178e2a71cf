import Foundation
import Testing

/// Parses a JSON object with Foundation, independently of the program's own parser and writer.
package func parse(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

/// Parses a JSON array of objects.
package func parseList(_ text: String) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
}
