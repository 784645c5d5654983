#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a ``StoreStorage`` keeps: a value as JSON, under its name.
@Model struct KeyedValue {
  @PrimaryKey var key: String
  var json: Data
}
