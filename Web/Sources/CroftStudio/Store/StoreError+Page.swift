import Croft

/// Errors of the store for people who read and edit pages: what happened, and what they can do on them.
extension StoreError {
  /// One sentence, or two; the description is for the people who write the program.
  var pageText: String {
    switch self {
    case .duplicateKey(let model, _, let key):
      "\(model) already has an object with key \(key). Choose another key, or edit that object."
    case .objectTooLarge(let model, let key, let bytes):
      "\(model) \(key) would take \(bytes) bytes, which is more than an object can have. Shorten its values."
    case .cannotEncode(let model, let field, let reason):
      "\(model).\(field) cannot be stored: \(reason). Change the value."
    case .staleObject(let model, _, let key):
      "\(model) \(key) has changed since it was read. Load this page again."
    case .conditionTooDeep(let model), .expressionTooDeep(let model):
      "The filter of \(model) is nested too deeply. Write its terms side by side, with and and or."
    case .overflow(let model, let field):
      "The sum of \(model).\(field) does not fit in 64 bits. Filter fewer objects."
    case .relevanceWithoutSearch(let model):
      "\(model) cannot be sorted by relevance without a search. Add a condition with matches."
    case .unknownModel(let model):
      "There is no model \(model) in this file any more. Begin with the first page."
    case .schemaMismatch(let model, let field, let reason):
      "\(model)\(field.map { ".\($0)" } ?? ""): \(Self.firstPart(of: reason)). The models of the file may have "
        + "changed: load this page again."
    case .notACroftFile(let path, let reason):
      "\(path) is not a file of a store: \(reason). Put the file of the store in its place, and load this page "
        + "again."
    case .cannotOpen(let path, let reason):
      "\(path) cannot be opened: \(Self.firstPart(of: reason)). "
        + Self.remedy(isOfLostJournal: isOfLostJournal, reason)
    case .newerFormat(let path, _), .unsupportedFeatures(let path, _):
      "A newer version of Croft wrote \(path). Update the studio."
    case .fileReplaced(let path, _):
      "Another program replaced, overwrote or removed \(path). Load this page again, which opens the "
        + "file that is there."
    case .busy: "Another program writes to the store at this time. Try it again when it is done."
    case .readOnly:
      "The file is open for reading only. Start the studio with --write to change objects."
    case .mapFull: "The change needs more room than the file had, which has grown. Try it again."
    case .readersFull, .tooManyTrees:
      "Too many programs use the store at this time. Close some, and load this page again."
    case .nestedWrite, .transactionFailed, .primaryKeyChanged, .notCodable, .cannotWrite:
      "Nothing was written. Load this page again."
    case .invalidModel(let model, let reason): "\(model) cannot be stored: \(reason)."
    case .keyTooLong, .uniqueViolation, .danglingReference, .deniedByRelation, .searchTooLong,
      .corrupt, .system:
      description
    }
  }

  private static func remedy(isOfLostJournal: Bool, _ reason: String) -> String {
    if isOfLostJournal {
      return "Put the journal of the same name back beside it, or restore a backup."
    }
    return reason.hasPrefix("there is no such file")
      ? "Put the file in its place, and load this page again."
      : "See that the studio may read it, and load this page again."
  }

  /// What a reason says before what a program has to do.
  static func firstPart(of reason: String) -> String {
    reason.split(separator: "; ", maxSplits: 1).first.map(String.init) ?? reason
  }
}
