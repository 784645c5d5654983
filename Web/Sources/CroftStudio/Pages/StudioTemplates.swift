import Mustache
import PageServer

/// The templates of the pages, which escape every text.
struct StudioTemplates: Sendable {
  /// The templates that handlers render; others are parts of these.
  enum Page: Int, CaseIterable {
    case models, grid, rows, object, message, refusal, edit, review, conflict, delete, facets, count
    case schema, health

    fileprivate var bytes: [UInt8] {
      switch self {
      case .models: PackageResources.models_mustache
      case .grid: PackageResources.grid_mustache
      case .rows: PackageResources.rows_mustache
      case .object: PackageResources.object_mustache
      case .message: PackageResources.message_mustache
      case .refusal: PackageResources.refusal_mustache
      case .edit: PackageResources.edit_mustache
      case .review: PackageResources.review_mustache
      case .conflict: PackageResources.conflict_mustache
      case .delete: PackageResources.delete_mustache
      case .facets: PackageResources.facets_mustache
      case .count: PackageResources.count_mustache
      case .schema: PackageResources.schema_mustache
      case .health: PackageResources.health_mustache
      }
    }
  }

  /// A template includes another one that there is not: it would leave a gap in the page.
  struct MissingPart: Error, Equatable {
    let name: String
  }

  /// The parts that templates include, by their names.
  private static let parts: [(name: String, bytes: [UInt8])] = [
    ("head", PackageResources.head_mustache), ("undo", PackageResources.undo_mustache),
    ("value", PackageResources.value_mustache),
    ("facet-list", PackageResources.facet_list_mustache),
  ]

  private let library: MustacheLibrary
  /// A template for each case of ``Page``, in their order.
  private let pages: [MustacheTemplate]

  /// Reads the embedded templates.
  ///
  /// - Throws: An error of the template engine for one that cannot be read; ``MissingPart``.
  init() throws { try self.init(parts: Self.parts) }

  /// Reads the embedded templates with given parts.
  init(parts: [(name: String, bytes: [UInt8])]) throws {
    HTMLEscaping.register()
    var library = MustacheLibrary()
    let names = Set(parts.map(\.name))
    for part in parts {
      library.register(try Self.template(part.bytes, parts: names), named: part.name)
    }
    pages = try Page.allCases.map { try Self.template($0.bytes, parts: names) }
    self.library = library
  }

  private static func template(
    _ bytes: [UInt8], parts: Set<String>
  ) throws -> MustacheTemplate {
    let text = String(decoding: bytes, as: UTF8.self)
    for include in text.matches(of: #/\{\{>\s*([^}\s]+)\s*\}\}/#) {
      let name = String(include.output.1)
      guard parts.contains(name) else { throw MissingPart(name: name) }
    }
    return try MustacheTemplate(string: HTMLEscaping.pragma + text)
  }

  /// A page, as HTML.
  func render(_ page: Page, _ values: [String: Any]) -> String {
    pages[page.rawValue].render(values, library: library)
  }
}
