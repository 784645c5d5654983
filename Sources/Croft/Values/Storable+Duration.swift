extension Duration: StorableKey {
  /// Nanoseconds in 64 bits.
  @inlinable public static var storage: StorageType { StorageType(.int64) }

  /// Writes the nanoseconds; fractions of one are rounded, and 292 years or more make the statement fail.
  public func store(into row: inout _RecordEncoder) {
    guard let nanoseconds = nanosecondsIfStorable else {
      row.failHere("\(self) is longer than the 292 years whose nanoseconds fit in 64 bits")
      return Int64(0).store(into: &row)
    }
    nanoseconds.store(into: &row)
  }

  /// Reads the nanoseconds.
  @inlinable
  public static func load(from row: inout _RecordDecoder) -> Duration {
    .nanoseconds(Int64.load(from: &row))
  }

  /// The nanoseconds as conditions compare them, rounded as a row stores them.
  ///
  /// A duration that does not fit has the nearest number of nanoseconds that does; see
  /// `RangeLimited`.
  public var stored: StoredValue { .int(clampedNanoseconds) }

  /// The value that conditions compare as `stored`; nil where there is none.
  public static func _value(of stored: StoredValue, _ row: inout _RecordDecoder) -> Self? {
    guard case .int(let value) = stored else { return nil }
    return .nanoseconds(value)
  }

  /// Appends the nanoseconds' key code; a duration that does not fit is before or after all others.
  public func appendKey(to key: inout _ByteBuffer) {
    clampedNanoseconds.appendKey(to: &key)
    if excess > 0 { key.append(0) }
    if excess < 0 { key.count -= 1 }
  }

  /// False: the row has the value too, so that a statement refuses one that does not fit.
  @inlinable public static var keyRestoresValue: Bool { false }

  /// Reads the nanoseconds from their eight bytes.
  @inlinable
  public static func loadKey(from row: inout _RecordDecoder) -> Duration {
    .nanoseconds(Int64.loadKey(from: &row))
  }

  /// The nearest number of nanoseconds; nil where it takes more than 64 bits.
  private var nanosecondsIfStorable: Int64? {
    let (seconds, attoseconds) = components
    let half: Int64 = attoseconds < 0 ? -500_000_000 : 500_000_000
    let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if isTooLarge { return nil }
    let (sum, isSumTooLarge) = whole.addingReportingOverflow((attoseconds + half) / 1_000_000_000)
    return isSumTooLarge ? nil : sum
  }

  /// As a limited value: the sign of a duration that is longer than a row can hold, else 0.
  var excess: Int { nanosecondsIfStorable != nil ? 0 : self < .zero ? -1 : 1 }

  private var clampedNanoseconds: Int64 { nanosecondsIfStorable ?? (self < .zero ? .min : .max) }
}

extension Duration: Summable {
  /// The sum as a duration.
  public static func _sum(of total: _SummableTotal) -> Duration? {
    Int64(exactly: total.integers).map { .nanoseconds($0) }
  }

  /// The average in seconds.
  public static func _average(of total: _SummableTotal) -> Double? {
    total.average.map { $0 / 1e9 }
  }
}

extension QueryColumn where Value: StoredCollection, Value.StoredElement.Unwrapped == Duration {
  /// Not there: compare the sum of durations, or fetch and compare the average.
  @available(
    *, unavailable, message: "compare the sum of durations, or fetch and compare the average"
  )
  public var average: QueryColumn<M, Double?> { QueryColumn<M, Double?>(nil) }
}
