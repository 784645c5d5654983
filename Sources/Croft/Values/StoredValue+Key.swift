extension StoredValue {
  /// Appends the key code that a column of a kind has for this value, without a nil byte.
  ///
  /// - Parameter cut: The most bytes kept of a variable value; `nil` keeps all.
  /// - Returns: Whether the code was cut, so that it stands for more than one value.
  @discardableResult
  func appendKey(kind: StorageType.Kind, to key: inout _ByteBuffer, cut: Int?) -> Bool {
    let start = key.count
    switch self {
    case .none: break
    case .bool(let value): value.appendKey(to: &key)
    case .int(let value): value.appendKey(to: &key)
    case .uint(let value): value.appendKey(to: &key)
    case .double(let value):
      if kind == .float { Float(value).appendKey(to: &key) } else { value.appendKey(to: &key) }
    case .date(let value): value.appendKey(to: &key)
    case .uuid(let high, let low):
      key.append(bigEndian: high)
      key.append(bigEndian: low)
    case .string(let value): value.appendKey(to: &key)
    // Safety: the bytes are copied before the buffer is given back.
    case .data(let value) where kind == .compound:
      unsafe value.withUnsafeBytes { unsafe key.append(contentsOf: $0) }
    case .data(let value): unsafe value.withUnsafeBytes { unsafe key.appendEscaped($0) }
    case .decimal(let value): DecimalCode.append(value, to: &key)
    case .list: preconditionFailure("A collection has no key code: only its elements do.")
    }
    guard let cut, kind.canBeCut else { return false }
    return key.cutCode(from: start, keeping: cut)
  }
}
