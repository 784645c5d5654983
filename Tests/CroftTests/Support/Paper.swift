@testable import Croft

/// A model whose texts have different weights in searches.
@Model struct Paper: Hashable {
  @PrimaryKey var id: Int
  var title: String
  var body: String?
  var tags: [String] = []
  @Indexed var year = 0
  #FullText<Paper>([\.title[weight: 4], \.body, \.tags])
}

extension Paper {
  /// The units of the texts, by property.
  var units: NaiveRelevance.Texts {
    [
      [NaiveSearch.units(of: title)], body.map { [NaiveSearch.units(of: $0)] } ?? [],
      tags.map(NaiveSearch.units),
    ]
  }
}

extension Memo {
  /// The units of the texts, by property.
  var units: NaiveRelevance.Texts {
    Paper(id: id, title: title, body: body, tags: tags, year: year).units
  }

  /// A search in all texts, which has a condition where a model has an index for it.
  static func search(_ query: String) -> Query<Memo> {
    let schema = _schema.erased
    let paths = ["title", "body", "tags"].compactMap { name in
      schema.place(named: name).map { ColumnPath(place: $0, name: name) }
    }
    return Query(.search(paths, TextPattern(TextSearch(query)))).order(by: .relevance)
  }
}
