// These are the standard library's own tables. Foundation has a stable name for the same, but loading it takes longer
// than everything else that an engine does before its first sound.
@_spi(_Unicode) import Swift

extension StringProtocol {
    /// Unicode's canonical decomposition (NFD): `ç` becomes `c` and a combining cedilla.
    var decomposed: [Unicode.Scalar] {
        Array(String(self)._nfd)
    }
}
