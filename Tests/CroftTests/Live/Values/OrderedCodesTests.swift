import Testing
import TestSupport

@testable import Croft

/// The first of a multiset of codes, against a sorted list.
@Suite struct OrderedCodesTests {
  @Test(arguments: [false, true])
  func theFirstIsThatOfASortedList(isDescending: Bool) throws {
    var random = SeededGenerator.forTest("ordered codes \(isDescending)")
    for _ in 0..<60 {
      var codes = OrderedCodes<Int>(isDescending: isDescending)
      var twin: [Int] = []
      let bound = 1 + random.below(60)
      for _ in 0..<400 {
        let number = random.below(bound)
        switch random.below(6) {
        case 0..<3:
          codes.insert([UInt8(number)]) { number }
          twin.append(number)
        case 3:
          // The extremes are those that a queue takes away.
          guard let first = isDescending ? twin.max() : twin.min() else { continue }
          codes.remove([UInt8(first)])
          twin.remove(at: try #require(twin.firstIndex(of: first)))
        default:
          codes.remove([UInt8(number)])
          if let place = twin.firstIndex(of: number) { twin.remove(at: place) }
        }
        #expect(codes.first == (isDescending ? twin.max() : twin.min()), "seed \(random.seed)")
      }
    }
  }

  @Test func whatWasRemovedDoesNotStayForEver() {
    var codes = OrderedCodes<Int>(isDescending: false)
    codes.insert([0]) { 0 }
    for number in 1..<2_000 {
      let code = [UInt8(1 + number >> 8), UInt8(number & 0xFF)]
      codes.insert(code) { number }
      codes.remove(code)
      #expect(codes.heapCount <= 4)
    }
    #expect(codes.first == 0)
  }
}
