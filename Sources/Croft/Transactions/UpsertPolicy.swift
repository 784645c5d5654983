/// What an upsert does about an object that has the same primary key already.
public enum UpsertPolicy<M: Model>: Sendable {
  /// Refuses: it throws ``StoreError/duplicateKey(model:key:)``, as an insert does.
  case error
  /// Replaces it in every property that differs.
  case replace
  /// Writes only the properties that differ from this earlier copy; the stored ones stay.
  ///
  /// Two that read one object, changed different properties and save it so lose neither's
  /// changes. Where both changed the same property, the one saved last wins.
  case merge(from: M)
}
