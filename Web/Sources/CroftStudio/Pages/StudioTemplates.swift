import Mustache
import PageServer

/// The templates of the pages, which escape every text.
struct StudioTemplates: Sendable {
  private let library: MustacheLibrary

  /// Reads the embedded templates.
  ///
  /// - Throws: An error of the template engine for one that cannot be read.
  init() throws {
    HTMLEscaping.register()
    var library = MustacheLibrary()
    for (name, bytes) in [
      ("head", PackageResources.head_mustache), ("models", PackageResources.models_mustache),
      ("grid", PackageResources.grid_mustache), ("object", PackageResources.object_mustache),
      ("value", PackageResources.value_mustache),
      ("message", PackageResources.message_mustache),
      ("refusal", PackageResources.refusal_mustache), ("edit", PackageResources.edit_mustache),
      ("review", PackageResources.review_mustache),
      ("conflict", PackageResources.conflict_mustache),
      ("delete", PackageResources.delete_mustache), ("undo", PackageResources.undo_mustache),
      ("rows", PackageResources.rows_mustache),
      ("facets", PackageResources.facets_mustache),
      ("facet-list", PackageResources.facet_list_mustache),
      ("schema", PackageResources.schema_mustache), ("health", PackageResources.health_mustache),
    ] {
      let template = HTMLEscaping.pragma + String(decoding: bytes, as: UTF8.self)
      try library.register(template, named: name)
    }
    self.library = library
  }

  /// A page, as HTML.
  func render(_ name: String, _ values: [String: Any]) -> String {
    library.render(values, withTemplate: name) ?? ""
  }
}
