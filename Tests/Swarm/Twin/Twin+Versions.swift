extension Twin {
  /// Goes on with other versions of the models.
  mutating func adopt(_ models: Models) {
    self.models = models
    for shape in models.shapes {
      replace(shape.name, by: tables[shape.name].map { Array($0.rows.values) } ?? [])
    }
  }
}
