/// Models that are in one store, with the versions that programs go back and forth between.
struct Family: Sendable {
  let name: String
  let versions: [Models]
  /// Whether programs begin with the first version and leave none out: a name tells which property
  /// is meant only to a store that has had all renames before.
  let isInOrder: Bool

  init(_ name: String, _ shapes: [any Shape]) {
    self.name = name
    versions = [Models(shapes)]
    isInOrder = false
  }

  init(_ name: String, versions: [Models], isInOrder: Bool = false) {
    self.name = name
    self.versions = versions
    self.isInOrder = isInOrder
  }

  /// What other programs of the file may know: one of the models, where no reference leads out.
  func others(_ version: Int) -> [Models]? {
    let all = versions[version].shapes
    guard all.count > 1 else { return nil }
    let alone = all.filter { shape in
      shape.infos.allSatisfy { $0.kind.target == nil || $0.kind.target == shape.name }
    }
    return alone.isEmpty ? nil : alone.map { Models([$0]) }
  }
}
