import Croft

/// The objects that a deletion removes or changes, as they are before it and after it.
struct SavedRows {
  private(set) var rows: [UndoStep.Row] = []

  /// Reads the objects before the deletion.
  ///
  /// - Parameter fetch: Runs a query.
  /// - Returns: Nil where they could not be written again: they hold what only their program can write, or are
  ///   too large to keep.
  init?(
    _ deletion: Deletion, among models: [StoredModel],
    fetch: (DynamicQuery) throws -> [DynamicObject]
  ) throws {
    var bytes = 0
    for place in deletion.deleted {
      guard let (model, object) = try Self.object(at: place, models, fetch),
        model.obstacle(toInserting: object) == nil
      else { return nil }
      bytes += object.byteCount
      if bytes > UndoStep.bytesMax { return nil }
      rows.append(
        UndoStep.Row(model: place.model, key: place.key, old: object.valuesByName, new: nil))
    }
    for (place, referrers) in Dictionary(grouping: deletion.nullified, by: \.place) {
      guard let (model, object) = try Self.object(at: place, models, fetch) else { return nil }
      var old: [String: StoredValue] = [:]
      for referrer in referrers {
        let property = model.properties.first { $0.name == referrer.property }
        // Only the program writes such keys.
        guard let property, property.type.kind != .compound else { return nil }
        old[property.name] = try object[property.name]
      }
      rows.append(UndoStep.Row(model: place.model, key: place.key, old: old, new: [:]))
    }
  }

  /// Reads what the deletion has made of the objects that stay.
  mutating func complete(
    among models: [StoredModel], fetch: (DynamicQuery) throws -> [DynamicObject]
  ) throws {
    for (index, row) in rows.enumerated() where row.new != nil {
      let place = Deletion.Place(model: row.model, key: row.key)
      let values = try Self.object(at: place, models, fetch)?.object.valuesByName ?? [:]
      rows[index] = UndoStep.Row(
        model: row.model, key: row.key, old: row.old,
        new: values.filter { row.old?[$0.key] != nil })
    }
  }

  private static func object(
    at place: Deletion.Place, _ models: [StoredModel],
    _ fetch: (DynamicQuery) throws -> [DynamicObject]
  ) throws -> (model: StoredModel, object: DynamicObject)? {
    guard let model = models.first(where: { $0.name == place.model }),
      let query = try place.key.query(of: model), let object = try fetch(query).first
    else { return nil }
    return (model, object)
  }
}
