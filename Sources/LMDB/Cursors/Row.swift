/// A key and its value, where they lie in the map.
///
/// The compiler sees to it that a row is not used after its cursor has moved.
public struct Row: ~Escapable {
  /// The key.
  public let key: RawSpan
  /// The value.
  public let value: RawSpan

  @_lifetime(copy key, copy value)
  init(key: RawSpan, value: RawSpan) {
    self.key = key
    self.value = value
  }
}
