import Croft

/// What the deletion of an object does by the delete rules: what goes with it, what loses a reference, and what
/// denies it.
struct Deletion {
  /// An object, and its model.
  struct Place: Hashable {
    let model: String
    let key: ObjectKey
  }

  /// A property that refers to an object that goes.
  struct Referrer: Hashable {
    let place: Place
    let property: String
  }

  /// How many objects are looked up at most.
  static let objectsMax = 1_000

  /// The objects that go, the first one first.
  private(set) var deleted: [Place]
  /// The properties that are set to nil, or lose an element.
  private(set) var nullified: [Referrer] = []
  /// The properties that deny it.
  private(set) var denying: [Referrer] = []
  /// Whether there are more objects than were looked up.
  private(set) var isCut = false
  private var known: Set<Place>

  /// Follows the rules from an object.
  ///
  /// - Parameter fetch: Runs a query.
  /// - Complexity: Bounded by ``objectsMax``, and for each property that refers O(log n) where it has an index.
  init(
    of key: ObjectKey, _ model: StoredModel, among models: [StoredModel],
    fetch: (DynamicQuery) throws -> [DynamicObject]
  ) throws {
    let first = Place(model: model.name, key: key)
    (deleted, known) = ([first], [first])
    var next = 0
    while next < deleted.count, !isCut {
      try follow(deleted[next], among: models, fetch)
      next += 1
    }
    let gone = known
    nullified.removeAll { gone.contains($0.place) }
    denying.removeAll { gone.contains($0.place) }
  }

  private mutating func follow(
    _ target: Place, among models: [StoredModel],
    _ fetch: (DynamicQuery) throws -> [DynamicObject]
  ) throws {
    guard let model = models.first(where: { $0.name == target.model }) else { return }
    for other in models {
      for property in other.properties {
        guard let reference = property.reference, reference.model == target.model,
          let value = target.key.reference(property.type, to: model)
        else { continue }
        let query = try Self.query(other, property, value)
        for object in try fetch(query) {
          let place = Place(model: other.name, key: try ObjectKey(object, of: other))
          add(Referrer(place: place, property: property.name), reference.onDelete)
        }
      }
    }
    isCut = isCut || deleted.count + nullified.count + denying.count > Self.objectsMax
  }

  private mutating func add(_ referrer: Referrer, _ rule: DeleteRule) {
    switch rule {
    case .cascade: if known.insert(referrer.place).inserted { deleted.append(referrer.place) }
    case .nullify: nullified.append(referrer)
    case .deny: denying.append(referrer)
    }
  }

  /// The keys of the objects whose property refers to one.
  private static func query(
    _ model: StoredModel, _ property: StoredModel.Property, _ target: StoredValue
  ) throws -> DynamicQuery {
    let names = model.primaryKey.map { "\($0.asQueryName) as `\($0)`" }.joined(separator: ", ")
    let sign = property.type.collection == nil ? "==" : "contains"
    return try DynamicQuery(
      "\(model.name.asQueryName) where \(property.name.asQueryName) \(sign) $1 select \(names) "
        + "limit \(objectsMax + 1)", target.parameter)
  }

  /// What it does, in sentences; the same for the same consequences.
  var sentences: [String] {
    let count = isCut ? "More than \(Self.objectsMax)" : "\(deleted.count)"
    let models = Self.counts(deleted.map(\.model))
    let isOne = deleted.count == 1 && !isCut
    var sentences = [isOne ? "1 object is deleted." : "\(count) objects are deleted: \(models)."]
    if !nullified.isEmpty {
      sentences.append("References are removed: \(Self.counts(nullified.map(\.name))).")
    }
    if !denying.isEmpty {
      sentences.append("References deny it: \(Self.counts(denying.map(\.name))).")
    }
    return sentences
  }

  private static func counts(_ names: [String]) -> String {
    Dictionary(grouping: names) { $0 }.sorted { $0.key < $1.key }
      .map { "\($0.value.count) of \($0.key)" }.joined(separator: ", ")
  }
}

extension Deletion.Referrer {
  var name: String { "\(place.model).\(property)" }
}
