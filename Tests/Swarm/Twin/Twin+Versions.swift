extension Twin {
  /// Goes on with other versions of the models, or stays as it is.
  ///
  /// - Returns: Whether the store can be opened with them.
  mutating func adopt(_ models: Models) -> Bool {
    for case .refuse(let model, let field, let isOther) in models.changes {
      let rows = tables[model]?.rows.values.map { $0[field] ?? .null } ?? []
      if rows.contains(where: isOther) { return false }
    }
    var tables = tables.mapValues { Array($0.rows.values) }
    for change in models.changes {
      switch change {
      case .add(let model, let field, let value):
        if defaults[model]?[field] == nil { defaults[model, default: [:]][field] = value }
        let value = defaults[model]?[field] ?? value
        tables[model] = tables[model]?.map { row in
          row[field] == nil ? row.merging([field: value]) { $1 } : row
        }
      case .rename(let model, let old, let new):
        tables[model] = tables[model]?.map { row in
          var row = row
          if row[new] == nil, let value = row.removeValue(forKey: old) { row[new] = value }
          return row
        }
      case .replace(let model, let field, let change):
        tables[model] = tables[model]?.map { row in
          guard let value = row[field], let new = change(value) else { return row }
          return row.merging([field: new]) { $1 }
        }
      case .refuse: break
      }
    }
    self.models = models
    for shape in models.shapes { replace(shape.name, by: tables[shape.name] ?? []) }
    return true
  }
}
