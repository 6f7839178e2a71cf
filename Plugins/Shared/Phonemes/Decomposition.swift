// The standard library's own tables. Foundation has the same under a stable name, but loading it takes longer than
// everything else that an engine does before its first sound.
@_spi(_Unicode) import Swift

extension StringProtocol {
    /// Unicode's canonical decomposition (NFD): `ç` becomes `c` and a combining cedilla.
    var decomposed: [Unicode.Scalar] {
        Array(String(self)._nfd)
    }
}
