import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("ModelMacro: misuse") struct ModelMacroMisuseTests {
  @Test func aClassIsRefusedAndBecomesAStruct() {
    expectMisuse(
      "notAStruct", "@Model makes a struct a model, and this is declared with 'class'",
      line: 1, column: 14,
      in: """
        @Model final class Song {
          @PrimaryKey var id: Int
        }
        """,
      expanded: """
        final class Song {
          var id: Int
        }
        """,
      remedies: ["change 'class' to 'struct'"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: Int
        }
        """)
  }

  @Test func anEnumIsRefused() {
    expectMisuse(
      "notAStruct", "@Model makes a struct a model, and this is declared with 'enum'",
      line: 1, column: 8, in: "@Model enum Song {}", expanded: "enum Song {}")
  }

  @Test func anActorIsRefused() {
    expectMisuse(
      "notAStruct", "@Model makes a struct a model, and this is declared with 'actor'",
      line: 1, column: 8, in: "@Model actor Song {}", expanded: "actor Song {}")
  }

  @Test func aGenericStructIsRefused() {
    expectMisuse(
      "genericType", "'Box' cannot be a model, because it is generic or inside a generic type",
      line: 1, column: 18,
      in: """
        @Model struct Box<Content> {
          @PrimaryKey var id: Int
        }
        """,
      expanded: """
        struct Box<Content> {
          var id: Int
        }
        """)
  }

  @Test func aStructInsideAGenericTypeIsRefused() {
    expectMisuse(
      "genericType", "'Item' cannot be a model, because it is generic or inside a generic type",
      line: 2, column: 17,
      in: """
        enum Box<Content> {
          @Model struct Item {
            @PrimaryKey var id: Int
          }
        }
        """,
      expanded: """
        enum Box<Content> {
          struct Item {
            var id: Int
          }
        }
        """)
  }

  @Test func aLocalStructIsRefused() {
    expectMisuse(
      "localType",
      "'Item' cannot be a model inside a function; move it to file scope or into a type",
      line: 2, column: 17,
      in: """
        func make() {
          @Model struct Item {
            @PrimaryKey var id: Int
          }
        }
        """,
      expanded: """
        func make() {
          struct Item {
            var id: Int
          }
        }
        """)
  }

  @Test func withoutAPrimaryKeyOneIsAdded() {
    expectMisuse(
      "noPrimaryKey",
      "'Song' has no primary key; mark one of its properties with @PrimaryKey",
      line: 1, column: 22,
      in: """
        @Model public struct Song {
          /// What it is called.
          public var title: String
        }
        """,
      expanded: """
        public struct Song {
          /// What it is called.
          public var title: String
        }
        """,
      conforming: .model("Song", key: "Swift.Int", isIdentified: false, access: "public "),
      remedies: ["add a primary key called 'id'"],
      fixed: """
        @Model public struct Song {
          @PrimaryKey public var id: UUID = .timeOrdered()
          /// What it is called.
          public var title: String
        }
        """)
  }

  @Test func anEmptyModelGetsAPrimaryKey() {
    expectMisuse(
      "noPrimaryKey",
      "'Song' has no primary key; mark one of its properties with @PrimaryKey",
      line: 1, column: 15, in: "@Model struct Song {}", expanded: "struct Song {}",
      conforming: .model("Song", key: "Swift.Int", isIdentified: false),
      remedies: ["add a primary key called 'id'"],
      fixed: "@Model struct Song { @PrimaryKey var id: UUID = .timeOrdered() }")
  }

  @Test func anUnmarkedPropertyCalledIdIsMarked() {
    expectMisuse(
      "noPrimaryKey",
      "'Song' has no primary key; mark one of its properties with @PrimaryKey",
      line: 1, column: 15,
      in: """
        @Model struct Song {
          var title: String
          /// Never changes.
          var id: Int
        }
        """,
      expanded: """
        struct Song {
          var title: String
          /// Never changes.
          var id: Int
        }
        """,
      conforming: .model("Song"),
      remedies: ["mark 'id' with @PrimaryKey"],
      fixed: """
        @Model struct Song {
          var title: String
          /// Never changes.
          @PrimaryKey var id: Int
        }
        """)
  }

  @Test func aConstantWithADefaultBecomesAVariable() {
    expectMisuse(
      "constantWithDefault",
      "'isNew' is a constant with a value, so a stored value could never be read into it",
      line: 3, column: 3,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          let isNew = true
        }
        """,
      expanded: """
        struct Song {
          var id: Int
          let isNew = true
        }
        """,
      conforming: .model("Song"),
      remedies: ["change 'let' to 'var'"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: Int
          var isNew = true
        }
        """)
  }

  @Test func aLazyPropertyIsRefused() {
    expectMisuse(
      "lazyProperty", "'cover' is lazy, and a model stores only values that are there already",
      line: 3, column: 3,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          lazy var cover = draw()
        }
        """,
      expanded: """
        struct Song {
          var id: Int
          lazy var cover = draw()
        }
        """,
      conforming: .model("Song"),
      remedies: ["remove 'lazy'"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: Int
          var cover = draw()
        }
        """)
  }

  @Test func anObservedPropertyIsRefused() {
    expectMisuse(
      "observedProperty",
      "'title' has observers, and a model holds plain values; observe the store instead",
      line: 3, column: 21,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          var title: String {
            didSet {
              changed()
            }
          }
        }
        """,
      expanded: """
        struct Song {
          var id: Int
          var title: String {
            didSet {
              changed()
            }
          }
        }
        """,
      conforming: .model("Song"),
      remedies: ["remove the observers"],
      fixed: """
        @Model struct Song {
          @PrimaryKey var id: Int
          var title: String
        }
        """)
  }

  @Test func aTuplePatternIsRefused() {
    expectMisuse(
      "tuplePattern", "a model declares its properties one by one, not by a tuple pattern",
      line: 3, column: 7,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          var (a, b) = (1, 2)
        }
        """,
      expanded: """
        struct Song {
          var id: Int
          var (a, b) = (1, 2)
        }
        """,
      conforming: .model("Song"))
  }

  @Test func aConditionalPropertyIsRefused() {
    expectMisuse(
      "conditionalProperty",
      "a model's properties cannot depend on '#if', because the stored fields would too",
      line: 5, column: 7,
      in: """
        @Model struct Song {
          @PrimaryKey var id: Int
          #if DEBUG
            #if os(Linux)
              var trace: String
            #endif
            var length: Int {
              3
            }
          #endif
        }
        """,
      expanded: """
        struct Song {
          var id: Int
          #if DEBUG
            #if os(Linux)
              var trace: String
            #endif
            var length: Int {
              3
            }
          #endif
        }
        """,
      conforming: .model("Song"))
  }

  @Test func aPublicModelNeedsAnnotationsForItsInitializer() {
    expectMisuse(
      "initializerNeedsAnnotation",
      "'isDone' needs a type annotation: it is a parameter of the initializer made for 'Task'",
      line: 3, column: 14,
      in: """
        @Model public struct Task {
          @PrimaryKey public var id: Int
          public var isDone = state()
          private var hits = 0
        }
        """,
      expanded: """
        public struct Task {
          public var id: Int
          public var isDone = state()
          private var hits = 0
        }
        """,
      conforming: .model("Task", access: "public "),
      remedies: ["add a type annotation"],
      fixed: """
        @Model public struct Task {
          @PrimaryKey public var id: Int
          public var isDone: <#Type#> = state()
          private var hits = 0
        }
        """)
  }

  @Test func everyMisuseIsReportedAtOnce() {
    expectExpansion(
      of: """
        @Model struct Song {
          let a = 1
          lazy var b = 2
          static lazy var c = 3
        }
        """,
      """
      struct Song {
        let a = 1
        lazy var b = 2
        static lazy var c = 3
      }

      \(PlainConformance.model("Song", key: "Swift.Int", isIdentified: false).source)
      """,
      diagnostics: [
        DiagnosticSpec(
          message:
            "'a' is a constant with a value, so a stored value could never be read into it",
          line: 2, column: 3, fixIts: [FixItSpec(message: "change 'let' to 'var'")]),
        DiagnosticSpec(
          message: "'b' is lazy, and a model stores only values that are there already",
          line: 3, column: 3, fixIts: [FixItSpec(message: "remove 'lazy'")]),
        DiagnosticSpec(
          message: "'Song' has no primary key; mark one of its properties with @PrimaryKey",
          line: 1, column: 15, fixIts: [FixItSpec(message: "add a primary key called 'id'")]),
      ])
  }
}
