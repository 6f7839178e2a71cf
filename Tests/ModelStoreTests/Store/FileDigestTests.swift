import SynthArchives
import Testing
import TestSupport

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite("File digests")
struct FileDigestTests {
    private static func compute(_ algorithm: Digest.Algorithm, _ bytes: [UInt8]) throws -> String? {
        let folder = try TemporaryFolder()
        return try FileDigest.compute(algorithm, of: folder.write(bytes, to: "f"), SystemFiles())?.hexadecimal
    }

    @Test("Digests match the published test vectors (FIPS 180-2 appendix B, RFC 1321 appendix A.5)")
    func published() throws {
        #expect(
            try Self.compute(.sha256, []) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            try Self.compute(.sha256, Array("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            try Self.compute(.sha256, [UInt8](repeating: 0x61, count: 1_000_000))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        #expect(try Self.compute(.md5, []) == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(try Self.compute(.md5, Array("message digest".utf8)) == "f96b697d7cb7938d525a2f31aaf161d0")
    }

    @Test("A digest must be lowercase and of the correct length")
    func form() {
        let right = String(repeating: "0f", count: 32)
        #expect(Digest(.sha256, right) != nil)
        for wrong in [right + "0", String(right.dropLast()), right.uppercased(), right.replacing("f", with: "g"), ""] {
            #expect(Digest(.sha256, wrong) == nil, "\(wrong)")
        }
    }
}
