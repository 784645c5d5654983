// The loops over numbers, one for each width: closed bounds need no comparison kinds.

extension Filter.NumberPlace {
  func keep(_ batch: inout RowBatch, _ low: Int64, _ high: Int64) {
    switch kind {
    case .int8: keep(&batch, as: Int8.self, low, high) { Int64($0) }
    case .int16: keep(&batch, as: Int16.self, low, high) { Int64(Int16(littleEndian: $0)) }
    case .int32: keep(&batch, as: Int32.self, low, high) { Int64(Int32(littleEndian: $0)) }
    default: keep(&batch, as: Int64.self, low, high) { Int64(littleEndian: $0) }
    }
  }

  func keep(_ batch: inout RowBatch, _ low: UInt64, _ high: UInt64) {
    switch kind {
    case .uint8, .bool: keep(&batch, as: UInt8.self, low, high) { UInt64($0) }
    case .uint16: keep(&batch, as: UInt16.self, low, high) { UInt64(UInt16(littleEndian: $0)) }
    case .uint32: keep(&batch, as: UInt32.self, low, high) { UInt64(UInt32(littleEndian: $0)) }
    default: keep(&batch, as: UInt64.self, low, high) { UInt64(littleEndian: $0) }
    }
  }

  func keep(_ batch: inout RowBatch, _ low: Double, _ high: Double) {
    switch kind {
    case .float:
      keep(&batch, as: UInt32.self, low, high) {
        Double(Float(bitPattern: UInt32(littleEndian: $0)))
      }
    default:
      keep(&batch, as: UInt64.self, low, high) { Double(bitPattern: UInt64(littleEndian: $0)) }
    }
  }

  @inline(__always)
  private func keep<Raw: BitwiseCopyable, Number: Comparable>(
    _ batch: inout RowBatch, as type: Raw.Type, _ low: Number, _ high: Number,
    _ number: (Raw) -> Number
  ) {
    let (offset, isNot) = (offset, isNot)
    // Safety: a checked row holds its whole fixed-width area.
    if let bit = presenceBit {
      batch.keep { row in
        let value = number(unsafe row.row.loadUnaligned(fromByteOffset: offset, as: Raw.self))
        return (row.isPresent(bit) && value >= low && value <= high) != isNot
      }
    } else {
      batch.keep { row in
        let value = number(unsafe row.row.loadUnaligned(fromByteOffset: offset, as: Raw.self))
        return (value >= low && value <= high) != isNot
      }
    }
  }
}
