import Foundation
import LMDB

@testable import Croft

/// The opening of a store by a program that adds an index, a step at a time.
struct StepwiseBuild {
  /// Every model is large, and a step reads one block of rows.
  static let building = IndexBuildLimits(mostAtOnce: 0, rowsPerStep: 1, bytesPerStep: 1 << 20)

  private let environment: Environment
  private let update: SchemaUpdate

  /// Begins for some models; nothing is written yet.
  init(at url: URL, _ models: any Model.Type..., options: Store.Options = .forTests) throws {
    environment = try Environment.open(at: url.path, options: .init(options))
    update = SchemaUpdate(
      path: url.path, schemas: models.map { $0.schema }, limits: Self.building)
  }

  /// Takes a step, which is a transaction.
  ///
  /// - Parameter beforeCommit: Called when the step's changes are made and not yet committed.
  /// - Returns: The index that is not complete yet; nil when all is done.
  @discardableResult
  func step(beforeCommit: () -> Void = {}) throws -> (any TableIndex)? {
    let catalog = try environment.write { transaction in
      let catalog = try update.advance(&transaction)
      beforeCommit()
      return catalog
    }
    return catalog.firstBuilding?.index
  }

  /// An opening that removes indexes again and again, and adds them.
  struct EndlessOpening: Error {}

  /// The most indexes that an opening removes; no model of a test has so many.
  private static let mostAbandonments = 10

  /// Opens a store as a program does, with steps as small as here.
  ///
  /// - Throws: ``EndlessOpening`` where it would not return; else what an opening throws.
  static func open(
    at url: URL, _ model: any Model.Type, options: Store.Options = .forTests
  ) throws -> Store {
    var abandonments = 0
    let opening = StoreOpening(
      path: url.path, [model], options, limits: building,
      willBegin: { stage in
        if stage == .abandonment { abandonments += 1 }
        if abandonments > mostAbandonments { throw EndlessOpening() }
      })
    return try opening.run()
  }
}
