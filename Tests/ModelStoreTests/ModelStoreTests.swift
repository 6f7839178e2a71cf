// ModelStoreTests
