/// A value that may be past all that a row can hold, which conditions must not take for the last one.
///
/// See ``ConditionTree/comparing(_:_:_:)``.
protocol RangeLimited {
  /// Negative for a value below all that can be stored, positive above; 0 for all others.
  var excess: Int { get }
}

extension Duration: RangeLimited {}

extension Ref: RangeLimited {
  var excess: Int { (key as? any RangeLimited)?.excess ?? 0 }
}

extension Optional: RangeLimited where Wrapped: RangeLimited {
  var excess: Int { self?.excess ?? 0 }
}

extension Array: RangeLimited where Element: RangeLimited {
  var excess: Int { lazy.map(\.excess).first { $0 != 0 } ?? 0 }
}

extension Set: RangeLimited where Element: RangeLimited {
  var excess: Int { lazy.map(\.excess).first { $0 != 0 } ?? 0 }
}

extension Storable {
  /// The excess of a value that may have one, else 0.
  ///
  /// - Parameter stored: The value as conditions compare it.
  func excess(_ stored: StoredValue) -> Int {
    switch stored {
    // A value past the range is stored as the last number, and a cast takes long.
    case .int(let number) where number != .min && number != .max: 0
    case .none, .bool, .uint, .double, .date, .uuid, .string, .decimal: 0
    case .int, .data, .list: (self as? any RangeLimited)?.excess ?? 0
    }
  }

  /// Whether the value is past all that a property can hold.
  var isPastRange: Bool { excess(stored) != 0 }
}
