public import CroftFoundation
import LMDB

extension Store {
  /// Makes a file of a dump's lines, with the models, objects and indexes that the dumped one had.
  ///
  /// The objects are loaded into a file without a name in the same folder, which is then copied: the new file is on
  /// the disk when this returns, and an error leaves nothing. Programs open it as they do the file that was dumped.
  /// Models that were replicated there are not replicated in the new file.
  ///
  /// - Parameters:
  ///   - url: The new file; its folder must exist.
  ///   - progress: Called with the number of objects so far, after some hundred each; an error that it throws
  ///     ends the load.
  ///   - nextLine: Gives each line without its end, and nil after the last one.
  /// - Returns: How many objects there are.
  /// - Throws: ``DumpError`` naming a line that cannot be loaded, or that is missing;
  ///   ``StoreError/uniqueViolation(model:fields:key:existing:)`` and
  ///   ``StoreError/danglingReference(model:field:key:target:)`` for objects that somebody changed in the dump;
  ///   ``StoreError/cannotWrite(path:reason:)``, also where there is a file of that name; what the closures throw.
  /// - Complexity: O(*n* log *n*) for *n* objects; some hundred megabytes of memory, and of the disk twice the
  ///   bytes of the file.
  @discardableResult
  public static func load(
    at url: URL, progress: (Int) throws -> Void = { _ in }, from nextLine: () throws -> String?
  ) throws -> Int {
    precondition(url.isFileURL, "A store is a file: make its URL with URL(filePath:).")
    do {
      let folder = try Self.folder(ofNew: url)
      var loading = try StoreLoading(in: folder, try nextLine())
      try loading.addObjects(progress, from: nextLine)
      try loading.finish(to: url.path)
      return loading.objectCount
    } catch let error as LMDBError {
      throw StoreError(error, copyingTo: url.path)
    }
  }
}
