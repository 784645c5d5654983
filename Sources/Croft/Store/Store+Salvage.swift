public import CroftFoundation
import LMDB

extension Store {
  /// Makes a new file of all models and of the objects that can be read, of a file that may be damaged.
  ///
  /// This file is not written to; opening it has replayed its journal where that was due. Indexes
  /// are built of the objects. A reference to an object that is lost becomes nil, with all values of
  /// the optional struct that it is in, if any, and an object that must refer to one is left out.
  /// Beside a damaged page some objects may be lost that are on others, fewer than sixteen on each
  /// side; those between two damaged pages of a model are lost as well.
  ///
  /// - Parameters:
  ///   - url: The new file; its folder must exist.
  ///   - progress: Called with the number of objects of a model so far; an error that it throws ends
  ///     the work.
  ///   - lost: Gets a sentence for each object that is lost or changed, and for those that a damaged
  ///     page hides.
  /// - Returns: How many objects the new file has.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the catalog is damaged, so that no model is known;
  ///   ``StoreError/uniqueViolation(model:fields:key:existing:)`` where two objects have the same unique values;
  ///   ``StoreError/cannotWrite(path:reason:)``, also where there is a file of that name; what the closures throw.
  /// - Complexity: O(*n* log *n*) for *n* objects.
  @discardableResult
  public func salvage(
    to url: URL, progress: (Int) throws -> Void = { _ in }, lost: (String) throws -> Void
  ) throws -> Int {
    precondition(url.isFileURL, "A store is a file: make its URL with URL(filePath:).")
    do {
      let folder = try Self.folder(ofNew: url)
      return try read { tx in
        let models = try tx.dumpedModels()
        let loading = try StoreLoading(in: folder, of: models.map(\.entry))
        var count = 0
        for (_, table) in models {
          count += try loading.addObjects(of: table, in: tx.base, progress, lost: lost)
        }
        count -= try loading.mendReferences(lost: lost)
        try loading.finish(to: url.path)
        return count
      }
    } catch let error as LMDBError {
      throw error.isDamage ? StoreError(error) : StoreError(error, copyingTo: url.path)
    }
  }

  /// The folder of a file that does not exist yet.
  ///
  /// - Throws: ``StoreError/cannotWrite(path:reason:)`` where there is one, or no folder.
  static func folder(ofNew url: URL) throws -> URL {
    if FileManager.default.fileExists(atPath: url.path) {
      throw StoreError.cannotWrite(
        path: url.path, reason: "a file of that name exists; choose another name")
    }
    let folder = url.deletingLastPathComponent()
    guard FileManager.default.fileExists(atPath: folder.path) else {
      throw StoreError.cannotWrite(path: url.path, reason: "its folder does not exist")
    }
    return folder
  }
}
