import Croft
import Foundation

@testable import CroftSync

/// Reads the server's rows by what it says of models, without a replica.
struct SpaceNumbers {
  private(set) var models: [UInt32: SpaceSchema.Model] = [:]

  init(_ rows: [SyncObject: SyncRow]) throws {
    for (object, row) in rows where object.model == SpaceSchema.model {
      let model = try JSONDecoder().decode(SpaceSchema.Model.self, from: Data(row.fields ?? []))
      if models.updateValue(model, forKey: model.number) != nil {
        throw Simulation.Failure("two models have the number \(model.number)")
      }
    }
  }

  /// The key of an object with a number: a big-endian integer whose sign bit is flipped.
  static func key(of id: Int) -> [UInt8] {
    withUnsafeBytes(of: (Int64(id) ^ .min).bigEndian) { Array($0) }
  }

  private static func id(of key: [UInt8]) -> Int? {
    guard key.count == MemoryLayout<Int64>.size else { return nil }
    return Int(key.reduce(0 as Int64) { $0 << 8 | Int64($1) } ^ .min)
  }

  /// An object by the name of its model; nil for a description of a model.
  func named(_ object: SyncObject) -> NamedObject? {
    models[object.model].map { NamedObject(model: $0.name, key: object.key) }
  }

  func world(of rows: [SyncObject: SyncRow]) throws -> World {
    var world = World()
    for (object, row) in rows.sorted(by: { $0.key < $1.key })
    where !row.isDeleted && object.model != SpaceSchema.model {
      guard let model = models[object.model], let row = ServerRow(row) else {
        throw Simulation.Failure("the row of \(object) cannot be read")
      }
      func bytes(_ name: String) -> [UInt8]? {
        model.fields.first { $0.name == name }.flatMap { row.fields[$0.number]?.bytes }
      }
      func number(_ name: String) throws -> Int {
        guard let bytes = bytes(name), bytes.count == 8 else {
          throw Simulation.Failure("\(object) has no \(name)")
        }
        return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      func group(_ name: String) throws -> Ref<Group>? {
        bytes(name) == nil ? nil : Ref(try number(name))
      }
      guard let id = Self.id(of: object.key) else {
        throw Simulation.Failure("\(object) has no key of a number")
      }
      switch model.name {
      case "Group":
        world.groups.append(
          Group(
            id: id, name: bytes("name").map { String(decoding: $0, as: UTF8.self) },
            color: try number("color"), parent: try group("parent")))
      case "Part":
        world.parts.append(
          Part(
            id: id, title: try number("title"), number: try number("number"),
            group: Ref(try number("group"))))
      case "Guest":
        world.guests.append(
          Guest(
            id: id, title: try number("title"), number: try number("number"),
            group: try group("group")))
      default:
        world.anchors.append(
          Anchor(
            id: id, title: try number("title"), number: try number("number"),
            group: Ref(try number("group"))))
      }
    }
    return world
  }
}

/// An object of all stores and of every server.
///
/// Each store has numbers of its own for the models, and a restored server may give them others than before.
struct NamedObject: Hashable {
  let model: String
  let key: [UInt8]
}

extension Replica {
  /// An object of the store by the name of its model.
  func named(_ object: ObjectKey) throws -> NamedObject {
    guard let model = schema.local.first(where: { $0.number == object.model }) else {
      throw Simulation.Failure("no model has the number of \(object)")
    }
    return NamedObject(model: model.name, key: object.key)
  }
}
