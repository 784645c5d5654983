#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A line in memory: the places on it, those at the beginning first.
struct SortedLine {
  private var places: [LinePlace] = []

  /// What stands in front of a place or behind it, the nearest first; nil is the farthest end.
  ///
  /// - Complexity: O(log *n* + `limit`), and more where several stand at one place.
  func neighbors(
    _ direction: LineDirection, of order: Int64?, limit: Int
  ) -> [LinePlace] {
    switch direction {
    case .front:
      let end = order.map { order in index { $0.order < order } } ?? places.count
      return Array(places[..<end].suffix(limit).reversed())
    case .behind:
      let start = order.map { order in index { $0.order <= order } } ?? 0
      return Array(places[start...].prefix(limit))
    }
  }

  mutating func insert(_ place: LinePlace) {
    places.insert(place, at: index { $0.precedes(place) })
  }

  mutating func remove(_ place: LinePlace) {
    let index = index { $0.precedes(place) }
    if index < places.count, places[index] == place { places.remove(at: index) }
  }

  /// The first index at which a claim fails that holds for none behind one for which it fails.
  private func index(where holds: (LinePlace) -> Bool) -> Int {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if holds(places[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension LinePlace {
  fileprivate func precedes(_ other: LinePlace) -> Bool {
    order != other.order ? order < other.order : id < other.id
  }
}
