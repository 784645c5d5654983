import Testing
import TestSupport

@testable import Croft

@Suite struct ByteListTests {
  @Test(arguments: [nil, 8, 60])
  func aListGivesItsKeysInOrder(width: Int?) {
    var random = SeededGenerator.forTest("key list")
    let keys = (0..<400).map { _ in
      (0..<(width ?? random.below(12))).map { _ in random.pick([0, 1, 0xFE, 0xFF]) as UInt8 }
    }
    var list = ByteList()
    for key in keys { key.withUnsafeBytes { list.append($0) } }
    #expect((0..<list.count).map { Array(list[$0]) } == keys)
    list.sort()
    #expect(
      (0..<list.count).map { Array(list[$0]) } == keys.sorted { $0.lexicographicallyPrecedes($1) })
    list.removeAll()
    #expect(list.count == 0)
  }

  @Test(arguments: [false, true])
  func aListLosesItsLastItems(hasOneLength: Bool) {
    var list = ByteList()
    let items: [[UInt8]] = [[3], [1], hasOneLength ? [2] : [2, 2], [0]]
    for item in items { item.withUnsafeBytes { list.append($0) } }
    list.sort()
    list.removeItems(from: 3)
    #expect((0..<list.count).map { Array(list[$0]) } == Array(items[..<3]))
    #expect(list.order(from: 1) == [0, 1])
    list.bytes.append(9)
    list.bytes.append(8)
    list.endItem(at: list.bytes.count)
    #expect(Array(list[3]) == [9, 8] && list.byteCount == (hasOneLength ? 5 : 6))
  }

  @Test func keysOfOneLengthTakeTheirBytesAlone() {
    var list = ByteList(capacity: 64)
    for number in 0..<1_000 {
      withUnsafeBytes(of: UInt64(number).bigEndian) { list.append($0) }
    }
    #expect(list.byteCount == 8_000 && list.ends.isEmpty && list.count == 1_000)
    #expect(list.order() == (0..<1_000).map { UInt32($0) })
  }

  @Test func aKeyOfAnotherLengthKeepsAllKeys() {
    var list = ByteList(capacity: 64)
    let keys: [[UInt8]] = [[3, 1], [1, 2], [2, 2, 2], [], [1, 2]]
    for key in keys { key.withUnsafeBytes { list.append($0) } }
    let found = (0..<list.count).map { [UInt8](list[$0]) }
    #expect(found == keys)
    #expect(list.order() == [3, 1, 4, 2, 0])
    list.removeAll()
    #expect(list.count == 0 && list.byteCount == 0)
  }

  @Test func aSetHasEachItemOnce() {
    let set = ByteSet()
    let items: [[UInt8]] = (0..<500).map { [UInt8]("item \($0 * 7 % 250)".utf8) }
    for (place, item) in items.enumerated() {
      #expect(item.withUnsafeBytes { set.insert($0) } == (place < 250))
    }
    #expect((0..<set.count).map { [UInt8](set[$0]) } == Array(items[..<250]))
    #expect(items.allSatisfy { item in item.withUnsafeBytes { set.contains($0) } })
    let sorted = set.sorted()
    let ascending = items[..<250].sorted { $0.lexicographicallyPrecedes($1) }
    #expect((0..<sorted.count).map { [UInt8](sorted[$0]) } == ascending)
    set.removeAll()
    #expect(
      set.count == 0 && items.allSatisfy { item in item.withUnsafeBytes { !set.contains($0) } })
  }
}
