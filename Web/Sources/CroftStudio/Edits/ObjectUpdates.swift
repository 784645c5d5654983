import Croft
import Foundation

/// Updates of objects in one transaction, so that one may get a unique value that another one gives up.
///
/// They are made again as long as others make room. Where objects exchange values, one of them has a value of no
/// object in between, which nobody sees: an update that is not made at the end is refused, and nothing is committed.
struct ObjectUpdates {
  /// The new values of an object.
  struct Update {
    /// The place of the object among the edits.
    let row: Int
    let model: StoredModel
    let key: ObjectKey
    let values: [String: StoredValue]
  }

  /// An update that the store refuses.
  struct Refusal {
    let update: Update
    let error: StoreError
    /// The update of the object that has the unique value, where that gives it up; nil elsewhere.
    let holder: Update?
  }

  let updates: [Update]
  var allowsUnknownCases = false

  /// How many values are tried in place of a unique one.
  private static let attemptsMax = 8

  /// Makes the updates.
  ///
  /// - Returns: Those that are refused, with which nothing may be committed.
  /// - Throws: An error of the store that is not about values.
  func apply(to tx: inout WriteTransaction) throws -> [Refusal] {
    var (waiting, refusals, moved) = (updates, [Refusal](), Set<Int>())
    while !waiting.isEmpty {
      var failed: [(update: Update, error: StoreError)] = []
      for update in waiting {
        if let error = try make(update.values, of: update, in: &tx) {
          failed.append((update, error))
        }
      }
      let clashes = failed.filter { $0.error.uniqueFields != nil }
      refusals += failed.filter { $0.error.uniqueFields == nil }.map {
        Refusal(update: $0.update, error: $0.error, holder: nil)
      }
      let isStuck = failed.count == waiting.count
      waiting = clashes.map(\.update)
      if !isStuck || waiting.isEmpty { continue }
      var hasMoved = false
      for (update, error) in clashes where !hasMoved && moved.insert(update.row).inserted {
        hasMoved = try makeRoom(update, error.uniqueFields ?? [], in: &tx)
      }
      if hasMoved { continue }
      return refusals
        + clashes.map { update, error in
          Refusal(update: update, error: error, holder: error.holder(among: updates))
        }
    }
    return refusals
  }

  /// Sets values of an object; an error about them leaves it unchanged.
  private func make(
    _ values: [String: StoredValue], of update: Update, in tx: inout WriteTransaction
  ) throws -> StoreError? {
    guard let query = try update.key.query(of: update.model) else { return nil }
    do {
      try tx.savepoint {
        try $0.update(query, set: values, allowingUnknownCases: allowsUnknownCases)
      }
      return nil
    } catch let error as StoreError where error.isOfValues {
      return error
    }
  }

  /// Gives an object a value of no object for one of its unique properties that get another one anyway.
  private func makeRoom(
    _ update: Update, _ fields: [String], in tx: inout WriteTransaction
  ) throws -> Bool {
    for property in update.model.properties
    where fields.contains(property.name) && update.values[property.name] != nil {
      let isMoved = try Self.values(of: property).contains {
        try make([property.name: $0], of: update, in: &tx) == nil
      }
      if isMoved { return true }
    }
    return false
  }

  /// Some values of a property that most likely no object has.
  private static func values(of property: StoredModel.Property) -> [StoredValue] {
    let nothing = property.type.isOptional ? [StoredValue.none] : []
    if property.reference != nil || property.type.collection != nil { return nothing }
    if !property.cases.isEmpty { return nothing + property.cases.map(\.value) }
    return nothing + (0..<attemptsMax).compactMap { _ in random(property.type.kind) }
  }

  private static func random(_ kind: StorageType.Kind) -> StoredValue? {
    switch kind {
    case .int8: .int(Int64(Int8.random(in: .min ... .max)))
    case .int16: .int(Int64(Int16.random(in: .min ... .max)))
    case .int32: .int(Int64(Int32.random(in: .min ... .max)))
    case .int64: .int(.random(in: .min ... .max))
    case .uint8: .uint(UInt64(UInt8.random(in: .min ... .max)))
    case .uint16: .uint(UInt64(UInt16.random(in: .min ... .max)))
    case .uint32: .uint(UInt64(UInt32.random(in: .min ... .max)))
    case .uint64: .uint(.random(in: .min ... .max))
    case .float: .double(Double(Float.random(in: 0..<1)))
    case .double: .double(.random(in: 0..<1))
    case .decimal: .decimal(Decimal(Int32.random(in: .min ... .max)))
    case .date: .date(.random(in: 0..<1))
    case .uuid: .uuid(.random(in: .min ... .max), .random(in: .min ... .max))
    case .string: .string(UUID().uuidString)
    case .data: .data(Array(UUID().uuidString.utf8))
    case .bool, .coded, .compound: nil
    }
  }
}

extension StoreError {
  /// The properties of a unique index in which another object has the same values; nil for another error.
  fileprivate var uniqueFields: [String]? {
    if case .uniqueViolation(_, let fields, _, _) = self { fields } else { nil }
  }

  /// The update of the object that has the values, if it is one of some, and changes them.
  fileprivate func holder(among updates: [ObjectUpdates.Update]) -> ObjectUpdates.Update? {
    guard case .uniqueViolation(let model, let fields, _, let existing) = self else { return nil }
    return updates.first { update in
      update.model.name == model && fields.contains { update.values[$0] != nil }
        && [update.key.title, "\"\(update.key.title)\""].contains(existing)
    }
  }
}
