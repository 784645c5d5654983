import Testing
import TestSupport

@testable import Croft

@Suite struct ByteListSortingTests {
  private func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.lexicographicallyPrecedes(right)
  }

  /// The places of keys in ascending order, equal ones as they came.
  private func sorted(_ keys: [[UInt8]]) -> [UInt32] {
    keys.indices.sorted { left, right in
      keys[left] == keys[right] ? left < right : precedes(keys[left], keys[right])
    }.map { UInt32($0) }
  }

  @Test(arguments: [1, 2, 8, 17, 40])
  func keysOfOneWidthAreSortedStably(width: Int) {
    var random = SeededGenerator.forTest("radix sort")
    for count in [0, 1, 2, 300] {
      let keys: [[UInt8]] = (0..<count).map { _ in
        (0..<width).map { _ in random.pick([0, 1, 0x7F, 0xFF]) }
      }
      var bytes = keys.flatMap { $0 }
      bytes.append(0)
      let order = bytes.withUnsafeMutableBytes { bytes in
        bytes.baseAddress.map { ByteList.radix($0, count: count, width: width) }
      }
      #expect(order == sorted(keys), "seed \(random.seed)")
    }
  }

  @Test(arguments: [8, 9, 16])
  func keysWhoseLastBytesAscendAreSortedStably(width: Int) {
    var random = SeededGenerator.forTest("ascending ends")
    // Two keys change places in the second list, whose ends then do not ascend.
    for isBroken in [false, true] {
      var keys: [[UInt8]] = (0..<300).map { place in
        let end = UInt64(place / 2 * 100).bigEndian
        return (8..<width).map { _ in random.pick([0, 1, 0xFF]) }
          + withUnsafeBytes(of: end) { [UInt8]($0) }
      }
      if isBroken { keys.swapAt(1, 298) }
      var bytes = keys.flatMap { $0 }
      let order = bytes.withUnsafeMutableBytes { bytes in
        bytes.baseAddress.map { ByteList.radix($0, count: 300, width: width) }
      }
      #expect(order == sorted(keys), "seed \(random.seed)")
    }
  }

  @Test func keysOfManyLengthsAreSortedStably() {
    var random = SeededGenerator.forTest("comparison sort")
    let keys = (0..<500).map { _ in random.data(longest: random.oneIn(2) ? 3 : 20) }
    let buffers = keys.map { key in
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: key.count, alignment: 1)
      buffer.copyBytes(from: key)
      return buffer
    }
    defer { for buffer in buffers { buffer.deallocate() } }
    let order = ByteList.comparison(count: keys.count) { UnsafeRawBufferPointer(buffers[$0]) }
    #expect(order == sorted(keys), "seed \(random.seed)")
  }
}
