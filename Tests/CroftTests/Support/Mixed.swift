import Croft
import Foundation
import TestSupport

// Two models with everything that a condition's path can go through: references, inverse
// references, structs, and collections with and without indexes.

enum Mixed {
  @Embedded struct Place: Hashable {
    var city: String
    var zip: Int32?
    var height: Double
  }

  @Model struct Hub: Hashable {
    @PrimaryKey var id: String
    var name: String?
    var weight: Double
    var tags: [String]
    var next: Ref<Hub>?
    var place: Place?
  }

  @Model struct Node: Hashable {
    @PrimaryKey var id: Int16
    var hub: Ref<Hub>?
    var friends: [Ref<Node>]
    var fans: Set<Ref<Hub>>
    @Indexed var title: String
    @Indexed var tags: [String]
    @Indexed var marks: Set<Int16>
    @Indexed var days: [Date?]
    var ratios: [Double]
    var sizes: [UInt64]?
    var scores: [String: Float]
    var place: Place
    var spot: Place?
    var rank: Int
    #Index<Node>([\.title, \.tags.descending])
    #Index<Node>([\.marks.descending, \.rank])
    #Index<Node>([\.place.city, \.rank.descending])
    #Index<Node>([\.spot.height.descending])
    #Index<Node>([\.rank, \.spot.zip])
  }
}

extension Mixed.Place {
  static func random(_ random: inout SeededGenerator) -> Self {
    Self(
      city: random.anyText(), zip: random.maybe { Int32(truncatingIfNeeded: $0.signed()) },
      height: random.real())
  }

  /// The properties as conditions hold them.
  var values: [StoredValue] { [city.stored, zip.stored, height.stored] }

  /// The same after the column that tells whether the struct is there.
  static func values(of place: Self?) -> [StoredValue] {
    [.bool(place != nil)] + (place?.values ?? [.none, .none, .none])
  }
}

extension Mixed.Hub {
  /// A hub with this key and random properties, which may refer to others.
  static func random(_ id: String, _ ids: [String], _ random: inout SeededGenerator) -> Self {
    Self(
      id: id, name: random.maybe { $0.anyText() }, weight: random.real(),
      tags: random.some { $0.text(longest: 2) }, next: random.maybe { Ref($0.pick(ids)) },
      place: random.maybe { .random(&$0) })
  }

  var values: [StoredValue] {
    [id.stored, name.stored, weight.stored, tags.stored, next.stored]
      + Mixed.Place.values(of: place)
  }
}

extension Mixed.Node {
  /// A node with this key and random properties, which may refer to others and to hubs.
  static func random(
    _ id: Int16, _ ids: [Int16], _ hubs: [String], _ random: inout SeededGenerator
  ) -> Self {
    Self(
      id: id, hub: random.maybe { Ref($0.pick(hubs)) },
      friends: random.some { Ref($0.pick(ids)) }, fans: Set(random.some { Ref($0.pick(hubs)) }),
      title: random.anyText(),
      tags: random.some { $0.oneIn(9) ? $0.anyText() : $0.text(longest: 1) },
      marks: Set(random.some { Int16($0.below(9)) - 4 }),
      days: random.some { $0.maybe { Date(timeIntervalSinceReferenceDate: $0.real()) } },
      ratios: random.some { $0.real() }, sizes: random.maybe { $0.some { $0.unsigned() } },
      scores: Dictionary(
        random.some { ($0.text(longest: 1), Float($0.real())) }, uniquingKeysWith: { $1 }),
      place: .random(&random), spot: random.maybe { .random(&$0) }, rank: random.below(5))
  }

  var values: [StoredValue] {
    [
      id.stored, hub.stored, friends.stored, fans.stored, title.stored, tags.stored, marks.stored,
      days.stored, ratios.stored, sizes.stored, scores.stored,
    ] + place.values + Mixed.Place.values(of: spot) + [rank.stored]
  }
}

extension SeededGenerator {
  /// Up to three elements, often none.
  mutating func some<Element>(_ make: (inout Self) -> Element) -> [Element] {
    (0..<below(4)).map { _ in make(&self) }
  }
}
