import Croft
import PageServer
import TerminalText

/// The models of a file as boxes, and their references as arrows.
///
/// A model is to the right of those that it refers to, so that most arrows lead to the left; the same models always
/// give the same picture.
struct SchemaPicture {
  /// The sizes of the picture, in units of SVG.
  private enum Size {
    static let column = 8
    static let row = 20
    static let padding = 12
    static let gap = 28
    static let aisle = 96
    /// How high a column of boxes may be before another one begins.
    static let heightMax = 1_600
    /// How many columns of letters a line of a box has at most.
    static let lettersMax = 60
  }

  /// A model with its place.
  private struct Box {
    let model: StoredModel
    let lines: [String]
    let layer: Int
    var x = 0
    var y = 0

    var width: Int {
      let letters = ([model.name] + lines).map(\.displayWidth).max() ?? 0
      return letters * Size.column + 2 * Size.padding
    }
    var height: Int { (lines.count + 1) * Size.row + 2 * Size.padding }
    var middleOfHead: Int { y + Size.padding + Size.row / 2 }
    func middle(of line: Int) -> Int { middleOfHead + (line + 1) * Size.row }
  }

  private let boxes: [Box]

  /// Makes a picture of the models of a file.
  ///
  /// - Complexity: O(*n* log *n*) in the number of models and references.
  init(_ models: [StoredModel]) {
    let layers = Self.layers(of: models)
    var boxes = models.sorted { $0.name < $1.name }.map { model in
      Box(
        model: model, lines: model.properties.map(Self.line), layer: layers[model.name] ?? 0)
    }
    boxes.sort { ($0.layer, $0.model.name) < ($1.layer, $1.model.name) }
    var (x, y, width, layer) = (Size.padding, Size.padding, 0, 0)
    for place in boxes.indices {
      let box = boxes[place]
      let isFull = y > Size.padding && y + box.height > Size.heightMax
      if box.layer != layer || isFull {
        x += width + Size.aisle
        (y, width, layer) = (Size.padding, 0, box.layer)
      }
      (boxes[place].x, boxes[place].y) = (x, y)
      y += box.height + Size.gap
      width = max(width, box.width)
    }
    self.boxes = boxes
  }

  /// The values for the template.
  var values: [String: Any] {
    [
      "width": (boxes.map { $0.x + $0.width }.max() ?? 0) + Size.aisle,
      "height": (boxes.map { $0.y + $0.height }.max() ?? 0) + Size.padding,
      "boxes": boxes.map(Self.values), "arrows": arrows, "references": references,
      "hasReferences": !references.isEmpty,
    ]
  }

  private static func values(of box: Box) -> [String: Any] {
    [
      "x": box.x, "y": box.y, "width": box.width, "height": box.height,
      "name": box.model.name.shown, "textX": box.x + Size.padding, "textY": box.middleOfHead,
      "ruleY": box.middleOfHead + Size.row / 2, "endX": box.x + box.width,
      "lines": box.lines.enumerated().map { line, text in
        ["text": text.shown, "textX": box.x + Size.padding, "textY": box.middle(of: line)]
          as [String: Any]
      },
    ]
  }

  /// A property as a line of a box.
  private static func line(_ property: StoredModel.Property) -> String {
    var text = (property.isPrimaryKey ? "# " : "") + "\(property.name): \(property.typeName)"
    if let reference = property.reference {
      text += " → \(reference.model) (\(reference.onDelete.rawValue))"
    }
    return text.truncated(to: Size.lettersMax)
  }

  /// The paths of the arrows, from the line of a reference to the head of its target.
  private var arrows: [[String: Any]] {
    let targets = Dictionary(
      boxes.map { ($0.model.name, $0) }, uniquingKeysWith: { first, _ in first })
    return boxes.flatMap { box in
      box.model.properties.enumerated().compactMap { line, property -> [String: Any]? in
        guard let target = property.reference.flatMap({ targets[$0.model] }) else { return nil }
        return ["path": Self.path(from: box, line, to: target)]
      }
    }
  }

  private static func path(from box: Box, _ line: Int, to target: Box) -> String {
    let (startY, endY) = (box.middle(of: line), target.middleOfHead)
    let bend = Size.aisle / 2
    let endX = target.x + target.width
    if endX < box.x {
      return "M\(box.x) \(startY)C\(box.x - bend) \(startY) \(endX + bend) \(endY) \(endX) \(endY)"
    }
    // To a model in the same column, to a later one, or to itself: around the right side.
    let startX = box.x + box.width
    let outer = max(startX, endX) + bend
    return "M\(startX) \(startY)C\(outer) \(startY) \(outer) \(endY) \(endX) \(endY)"
  }

  /// The references as a table, which says what the arrows do.
  private var references: [[String: Any]] {
    boxes.flatMap { box in
      box.model.properties.compactMap { property -> [String: Any]? in
        guard let reference = property.reference else { return nil }
        return [
          "model": box.model.name.shown, "modelPath": StudioPath.model(box.model.name),
          "property": property.name.shown, "target": reference.model.shown,
          "targetPath": StudioPath.model(reference.model), "rule": reference.onDelete.rawValue,
        ]
      }
    }
  }

  /// The layer of each model: one more than the greatest of those that it refers to, circles left aside.
  private static func layers(of models: [StoredModel]) -> [String: Int] {
    let targets = Dictionary(
      models.map { ($0.name, Set($0.properties.compactMap(\.reference?.model)).sorted()) },
      uniquingKeysWith: { first, _ in first })
    var layers: [String: Int] = [:]
    var path: Set<String> = []
    func layer(of name: String) -> Int {
      if let known = layers[name] { return known }
      path.insert(name)
      defer { path.remove(name) }
      let below = (targets[name] ?? []).filter { !path.contains($0) }.map(layer)
      let layer = (below.max() ?? -1) + 1
      layers[name] = layer
      return layer
    }
    for model in models.map(\.name).sorted() { _ = layer(of: model) }
    return layers
  }
}
