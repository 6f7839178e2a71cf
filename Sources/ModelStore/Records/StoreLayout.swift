import VoiceCatalogue

/// Names below the store's root:
///
///     <folder of the voice or model>/.lock              held while anything in it changes
///     <folder>/<revision>/<file>                        whole and verified, or not there
///     <folder>/<revision>/<file>.part                   what a download has so far
///     <folder>/<revision>/<file>.part.tag               what the server called the version that it sent
///     <folder>/<revision>/<archive>.unpacked/           an archive, unpacked
///     <folder>/<revision>/<archive>.unpacked.part/      an archive, being unpacked
///     <folder>/<revision>/installed.json                written last: everything above is there
///     .adding-<process>-<number>/                       own files that are being added; hidden, so it is no entry
enum StoreLayout {
    static let partSuffix = FileName.partSuffix
    static let tagSuffix = FileName.tagSuffix
    static let additionPrefix = ".adding-"
    static let lockName = ".lock"
    static let recordName = FileName.recordName
    static let unpackedSuffix = FileName.unpackedSuffix
}
