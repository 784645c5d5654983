/// A verb was called on an engine whose store is not open.
struct NotOpen: Error, CustomStringConvertible {
  var description: String { "the engine's store is not open; call open(at:) before its verbs" }
}

/// The store that an engine holds while it is open.
///
/// - Throws: `NotOpen`.
func opened<Store>(_ store: Store?) throws(NotOpen) -> Store {
  guard let store else { throw NotOpen() }
  return store
}
