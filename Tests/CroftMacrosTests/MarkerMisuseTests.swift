import Testing

/// Markers where they say nothing: each is reported once, at itself, and can be taken away.
@Suite struct MarkerMisuseTests {
  /// What can be written on a property, apart from the primary key's own tests.
  static let markers = [
    "Indexed", "Coded", "Transient", "Relation(onDelete: .cascade)", #"Renamed(from: "x")"#,
  ]

  private func name(of marker: String) -> String { String(marker.prefix { $0 != "(" }) }

  @Test(arguments: markers) func outsideOfAModelItIsRefused(marker: String) {
    expectMisuse(
      "markerOutsideModel",
      "@\(name(of: marker)) has no effect here, because the enclosing type is not marked with @Model",
      line: 2, column: 3,
      in: """
        struct Song {
          @\(marker) var field = 0
        }
        """,
      expanded: """
        struct Song {
          var field = 0
        }
        """,
      remedies: ["remove '@\(marker)'"],
      fixed: """
        struct Song {
          var field = 0
        }
        """)
  }

  @Test(arguments: markers) func onAFunctionItIsRefused(marker: String) {
    expectMisuse(
      "markerOffProperty", "@\(name(of: marker)) marks a stored property of a model",
      line: 2, column: 3,
      in: """
        @Model struct Song {
          @\(marker) func field() {}
        }
        """,
      expanded: """
        @Model struct Song {
          func field() {}
        }
        """,
      remedies: ["remove '@\(marker)'"], expanding: [name(of: marker)])
  }

  @Test(arguments: markers) func onAStaticPropertyItIsRefused(marker: String) {
    expectMisuse(
      "markerOnStatic",
      "@\(name(of: marker)) cannot mark 'field', which is static and so in no stored object",
      line: 2, column: 3,
      in: """
        @Model struct Song {
          @\(marker) static var field = 0
        }
        """,
      expanded: """
        @Model struct Song {
          static var field = 0
        }
        """,
      remedies: ["remove '@\(marker)'"], expanding: [name(of: marker)])
  }

  @Test(arguments: markers) func onAComputedPropertyItIsRefused(marker: String) {
    expectMisuse(
      "markerOnComputed",
      "@\(name(of: marker)) cannot mark 'field', which is computed and so never stored",
      line: 2, column: 3,
      in: """
        @Model struct Song {
          @\(marker) var field: Int { 0 }
        }
        """,
      expanded: """
        @Model struct Song {
          var field: Int { 0 }
        }
        """,
      remedies: ["remove '@\(marker)'"], expanding: [name(of: marker)])
  }

  @Test(arguments: markers) func onAListItIsReportedOnce(marker: String) {
    expectMisuse(
      "markerOnList", "@\(name(of: marker)) marks one property; give it a declaration of its own",
      line: 3, column: 3,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          @\(marker) var a = 0, b = 0
        }
        """,
      expanded: """
        struct Song {
          @PrimaryKey var id: Int
          @\(marker) var a = 0, b = 0
        }
        """,
      conforming: .model("Song"),
      expanding: ["Model"])
  }

  @Test(arguments: [("Coded", "struct"), ("Renamed(from: \"x\")", "struct")])
  func inAnEmbeddedStructItIsWelcome(marker: String, keyword: String) {
    expectExpansion(
      of: """
        @Embedded \(keyword) Point {
          @\(marker) var x = 0
        }
        """,
      """
      @Embedded \(keyword) Point {
        var x = 0
      }
      """, expanding: [name(of: marker)])
  }

  @Test func thePrimaryKeyHasNoIndexOfItsOwn() {
    expectMisuse(
      "markerOnPrimaryKey",
      "@Indexed has no effect on the primary key 'id'; declare an #Index where you need one",
      line: 2, column: 15,
      in: """
        @Model struct Song {
          @PrimaryKey @Indexed(.caseFolded) var id: String
        }
        """,
      expanded: """
        struct Song {
          var id: String
        }
        """,
      conforming: .model("Song", key: "String"),
      remedies: ["remove '@Indexed(.caseFolded)'"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: String
        }
        """)
  }

  @Test func thePrimaryKeyIsNoJSON() {
    expectMisuse(
      "markerOnPrimaryKey",
      "the primary key 'id' cannot be JSON; its type must be one that keys can have",
      line: 2, column: 3,
      in: """
        @Model struct Song {
          @Coded @PrimaryKey var id: Theme
        }
        """,
      expanded: """
        struct Song {
          var id: Theme
        }
        """,
      conforming: .model("Song", key: "Swift.Int"),
      remedies: ["remove '@Coded'"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: Theme
        }
        """)
  }

  @Test(arguments: ["Renamed", "Removed"]) func aListOfNoNamesIsRefused(attribute: String) {
    expectMisuse(
      "namesNothing", "@\(attribute) has no effect without a name", line: 1, column: 1,
      in: """
        @\(attribute)() @Model struct Song {
        }
        """,
      expanded: """
        @Model struct Song {
        }
        """,
      remedies: ["remove '@\(attribute)()'"], expanding: [attribute])
  }

  @Test func aRenamedPropertyOfNoNameIsRefused() {
    expectMisuse(
      "namesNothing", "@Renamed has no effect without a name", line: 2, column: 3,
      in: """
        @Model struct Song {
          @Renamed() var title: String
        }
        """,
      expanded: """
        @Model struct Song {
          var title: String
        }
        """,
      remedies: ["remove '@Renamed()'"], expanding: ["Renamed"])
  }

  @Test func namesOfAnEmbeddedStructAreItsPropertiesAlone() {
    expectMisuse(
      "renamedOffModel",
      "@Renamed marks a model, or a stored property of a model or an embedded struct",
      line: 1, column: 1, in: #"@Renamed(from: "A") @Embedded struct B {}"#,
      expanded: "@Embedded struct B {}", remedies: [#"remove '@Renamed(from: "A")'"#],
      expanding: ["Renamed"])
    expectMisuse(
      "removedOffModel", "@Removed marks a model, and names fields that its store is to drop",
      line: 1, column: 1, in: #"@Removed("a") @Embedded struct B {}"#,
      expanded: "@Embedded struct B {}", remedies: [#"remove '@Removed("a")'"#],
      expanding: ["Removed"])
  }

  @Test func aPartOfModelsIsNeitherGenericNorLocal() {
    expectMisuse(
      "genericType",
      "'Box' cannot be a part of models, because it is generic or inside a generic type",
      line: 1, column: 21, in: "@Embedded struct Box<T> {}", expanded: "struct Box<T> {}")
    expectMisuse(
      "localType",
      "'Box' cannot be a part of models inside a function; move it to file scope or into a type",
      line: 2, column: 20,
      in: """
        func make() {
          @Embedded struct Box {}
        }
        """,
      expanded: """
        func make() {
          struct Box {}
        }
        """)
  }
}
