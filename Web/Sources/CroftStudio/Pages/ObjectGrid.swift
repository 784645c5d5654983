import Croft

/// A part of a model's objects, in the order of their primary key.
///
/// The part begins after a key, so that its cost does not grow with the number of objects before it. Only where
/// the query language cannot compare keys, because they refer to a key of several properties, objects are
/// counted.
struct ObjectGrid {
  /// The filter or the key cannot be used: why, with a caret below the place in the filter.
  struct Problem: Error {
    let text: String
  }

  /// How many objects a page has.
  static let rowCount = 100
  /// How many characters of a text a cell has.
  static let cellCharacters = 200

  /// The values of the rows, for the template.
  let rows: [[String: Any]]
  /// Where the next part begins, as its `after`; nil at the end.
  let next: String?

  /// Reads a part.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - filter: A condition of the query language; empty for all objects.
  ///   - after: Where the part begins, as ``next`` of the one before; nil for the first.
  /// - Throws: ``Problem``; an error of the store.
  init(
    of model: StoredModel, filter: String, after: String?, in tx: inout ReadTransaction
  ) throws {
    let filter = String(filter.trimmed)
    if !filter.isEmpty { try Self.check(filter, of: model, in: &tx) }
    var conditions = filter.isEmpty ? [] : ["(\(filter))"]
    var parameters: [String: any Storable] = [:]
    var offset = 0
    let isComparable = ObjectKey.isComparable(in: model)
    if let after, isComparable, let values = ObjectKey(path: after)?.parameters(of: model) {
      parameters = values
      conditions.append("(\(ObjectKey.isGreater(model.primaryKey)))")
    } else if let after, !isComparable, let count = UInt32(after) {
      offset = Int(count)
    } else if after != nil {
      throw Problem(text: "The address names no key of \(model.name).")
    }
    var text = model.name
    if !conditions.isEmpty { text += " where \(conditions.joined(separator: " and "))" }
    if isComparable {
      text += " sort by \(model.primaryKey.map(\.asQueryName).joined(separator: ", "))"
    }
    text += " limit \(Self.rowCount + 1)"
    if offset > 0 { text += " offset \(offset)" }
    var objects: [DynamicObject]
    do {
      objects = try tx.fetch(DynamicQuery(text, named: parameters))
    } catch let error as QueryTextError {
      // The condition alone is one, so that it is what surrounds it that does not fit.
      throw Problem(
        text: filter.isEmpty
          ? "\(error)"
          : "A filter is a condition, without clauses such as sort, limit and select.")
    }
    let hasMore = objects.count > Self.rowCount
    if hasMore { objects.removeLast() }
    rows = try objects.map { object in
      let key = try ObjectKey(object, of: model)
      return ["cells": ValueCell.cells(of: object, key, model, charactersMax: Self.cellCharacters)]
    }
    if hasMore, let last = objects.last {
      next = isComparable ? try ObjectKey(last, of: model).path : "\(offset + Self.rowCount)"
    } else {
      next = nil
    }
  }

  private static func check(
    _ filter: String, of model: StoredModel, in tx: inout ReadTransaction
  ) throws {
    do {
      _ = try tx.names(of: DynamicQuery("\(model.name) where \(filter)"))
    } catch let error as QueryTextError {
      throw Problem(text: "\(error)")
    }
  }
}

extension String {
  /// The text without the spaces and line ends around it.
  fileprivate var trimmed: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
