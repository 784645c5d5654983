import Foundation
import Testing

@testable import Croft

/// Defaults of structs inside a type may name what that type declares.
///
/// Generated code is at file scope, where `Light()` alone is nothing: it did not compile.
enum Fixtures {
  @Embedded struct Light: Hashable {
    var level = 1
    var tone = Tone.warm
    var colour: Colour? = Colour(name: "white")
  }

  enum Tone: Int, StoredEnum {
    case warm = 1
    case cold
  }

  @Embedded struct Colour: Hashable {
    var name = standardName
    var weight: Double = Double(Tone.cold.rawValue)
  }

  static let standardName = "grey"

  @Model struct Lamp: Hashable {
    @PrimaryKey var id: Int
    var light: Light = Light()
    var other = Light(level: 3)
    @Indexed var tone = Tone.cold
    var tones: [Tone] = [Tone.warm, .cold]
    var spare: Light? = .some(Light(level: 4))
    var own = Self.place
    var name = "lamp"
    @Transient var cache: [Tone: Int] = [Tone.warm: 1]
    static let place = "hall"
  }
}

extension Fixtures {
  /// The same inside an extension.
  @Model struct Shade: Hashable {
    @PrimaryKey var id: Int
    var tone = Tone.cold
  }
}

/// The model before it had the properties.
enum Unlit {
  @Model struct Lamp: Hashable {
    @PrimaryKey var id: Int
    var name = "lamp"
  }
}

@Suite(.keepsFailedStores) struct NestedDefaultTests {
  @Test func objectsHaveThem() throws {
    try withStore(of: Fixtures.Lamp.self, Fixtures.Shade.self) { store in
      let lamp = Fixtures.Lamp(id: 1)
      #expect(lamp.light.level == 1 && lamp.other.level == 3 && lamp.own == "hall")
      try store.write { tx in
        try tx.insert(lamp)
        try tx.insert(Fixtures.Shade(id: 1))
      }
      #expect(try store.fetch(Fixtures.Lamp.all) == [lamp])
      #expect(try store.fetch(Fixtures.Shade.where { $0.tone == .cold }).count == 1)
      #expect(try store.count(Fixtures.Lamp.where { $0.light.colour.weight == 2 }) == 1)
    }
  }

  @Test func objectsOfAnOlderVersionAreReadWithThem() throws {
    try withTemporaryStore(of: Unlit.Lamp.self, checksAtEnd: false) { temporary in
      do {
        let store = try temporary.open()
        try store.write { try $0.insert(Unlit.Lamp(id: 1, name: "old")) }
      }
      let store = try Store.open(at: temporary.url, models: Fixtures.Lamp.self, options: .forTests)
      #expect(try store.fetch(Fixtures.Lamp.all) == [Fixtures.Lamp(id: 1, name: "old")])
      #expect(try store.verify().isSound)
    }
  }
}
