#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TodoTables where Self: ~Copyable {
  /// Puts items side by side at a place.
  mutating func move(
    _ ids: [UUID], to place: Place, _ journal: inout Journal
  ) throws -> [TodoItem] {
    let spots = try ids.unique.map { try knownItem($0).linePlace }
    let ids = spots.map(\.id)
    let anchor = try place.neighborID.map { try knownItem($0).linePlace }
    for spot in try arrange(ids, from: spots, at: place, anchor, on: .items) {
      try put(spot, on: .items, &journal)
    }
    return try ids.map { try knownItem($0) }
  }

  /// Puts a group at a place among the groups.
  mutating func moveGroup(
    _ id: UUID, to place: Place, _ journal: inout Journal
  ) throws -> TodoGroup {
    let spot = try knownGroup(id).linePlace
    let anchor = try place.neighborID.map { try knownGroup($0).linePlace }
    for spot in try arrange([id], from: [spot], at: place, anchor, on: .groups) {
      try put(spot, on: .groups, &journal)
    }
    return try knownGroup(id)
  }

  /// Places for things that are to be added: the one each asks for if it is free, else the end.
  mutating func newPlaces(
    _ wanted: [Int64], on line: Line, _ journal: inout Journal
  ) throws -> [Int64] {
    var taken: Set<Int64> = [0]
    var places = wanted
    var unplaced: [Int] = []
    for (index, order) in wanted.enumerated() {
      if try taken.insert(order).inserted && isFree(order, on: line) { continue }
      unplaced.append(index)
    }
    guard !unplaced.isEmpty else { return places }
    let end = try neighbors(on: line, .front, of: nil, limit: 1).map(\.order)
    let kept = places.indices.filter { !unplaced.contains($0) }.map { places[$0] }
    let ids = unplaced.map { _ in UUID() }
    if let free = OrderLine.places(unplaced.count, between: (end + kept).max(), and: nil) {
      for (index, place) in zip(unplaced, free) { places[index] = place }
      return places
    }
    // The end of the numbers is reached: what stands there moves together.
    for spot in try arrange(ids, at: .last, nil, on: line) {
      if let index = ids.firstIndex(of: spot.id) {
        places[unplaced[index]] = spot.order
      } else {
        try put(spot, on: line, &journal)
      }
    }
    return places
  }

  private mutating func isFree(_ order: Int64, on line: Line) throws -> Bool {
    guard order > .min else { return false }
    return try neighbors(on: line, .behind, of: order - 1, limit: 1).first?.order != order
  }

  /// Finds new places for things that are put side by side, and for those that make room.
  ///
  /// - Parameters:
  ///   - spots: Where the things stand, in the same order; empty for new ones.
  ///   - anchor: What `place` names, if it names something.
  /// - Returns: Every thing that gets another place, in their order; none where all stand so.
  private mutating func arrange(
    _ ids: [UUID], from spots: [LinePlace] = [], at place: Place, _ anchor: LinePlace?,
    on line: Line
  ) throws -> [LinePlace] {
    let moved = Set(ids)
    // How many on either side are spread out again: none, as long as there is room.
    var reach = 0
    while true {
      let limit = reach + 1 + ids.count
      var front =
        try place.hasFront
        ? neighbors(on: line, .front, of: anchor?.order, limit: limit) : []
      var behind =
        try place.hasBehind
        ? neighbors(on: line, .behind, of: anchor?.order, limit: limit) : []
      if let anchor, case .before = place { behind.insert(anchor, at: 0) }
      if let anchor, case .after = place { front.insert(anchor, at: 0) }
      front.removeAll { moved.contains($0.id) }
      behind.removeAll { moved.contains($0.id) }
      let spread =
        front.prefix(reach).reversed().map(\.id) + ids + behind.prefix(reach).map(\.id)
      let lower = front.count > reach ? front[reach].order : nil
      let upper = behind.count > reach ? behind[reach].order : nil
      if reach == 0 && spots.stand(between: lower, and: upper) { return [] }
      let gapMin = reach == 0 ? 2 : OrderLine.gapMin
      if let places = OrderLine.places(spread.count, between: lower, and: upper, gap: gapMin) {
        return zip(spread, places).map { LinePlace(id: $0, order: $1) }
      }
      precondition(
        lower != nil || upper != nil, "A line has room for two thousand million things.")
      reach = max(32, reach * 2)
    }
  }

  /// Gives a thing its place on a line.
  private mutating func put(
    _ spot: LinePlace, on line: Line, _ journal: inout Journal
  ) throws {
    switch line {
    case .items:
      let old = try knownItem(spot.id)
      var new = old
      new.order = spot.order
      try replace(old, with: new, &journal)
    case .groups:
      let old = try knownGroup(spot.id)
      var new = old
      new.order = spot.order
      try replace(old, with: new, &journal)
    }
  }
}

extension [LinePlace] {
  /// Whether the things stand in their order between two neighbours; false for no things.
  fileprivate func stand(between lower: Int64?, and upper: Int64?) -> Bool {
    guard let first, let last else { return false }
    let isAscending = zip(self, dropFirst()).allSatisfy { $0.order < $1.order }
    return isAscending && lower.map { $0 < first.order } ?? true
      && upper.map { last.order < $0 } ?? true
  }
}

extension TodoItem {
  /// The item's place on the line of items.
  var linePlace: LinePlace { LinePlace(id: id, order: order) }
}

extension TodoGroup {
  /// The group's place on the line of groups.
  var linePlace: LinePlace { LinePlace(id: id, order: order) }
}

extension Place {
  /// Whose neighbour the place is.
  fileprivate var neighborID: UUID? {
    switch self {
    case .first, .last: nil
    case .before(let id), .after(let id): id
    }
  }

  /// Whether something may stand in front of it.
  fileprivate var hasFront: Bool { self != .first }
  /// Whether something may stand behind it.
  fileprivate var hasBehind: Bool { self != .last }
}
