import TodoKit

/// How many colours a terminal knows.
enum ColorDepth: Equatable {
  /// The sixteen that the terminal's user chose.
  case sixteen
  /// A palette of 256.
  case palette
  /// All of 24 bits.
  case full

  /// The colours that the variables `COLORTERM` and `TERM` promise.
  init(environment variables: [String: String]) {
    let terminal = variables["TERM"] ?? ""
    let isFull = ["truecolor", "24bit"].contains(variables["COLORTERM"] ?? "")
    if isFull || terminal.hasSuffix("-direct") {
      self = .full
    } else {
      self = terminal.contains("256color") ? .palette : .sixteen
    }
  }

  /// The ANSI code (SGR) of a background, or of the nearest one that there is.
  ///
  /// How opaque the colour is does not count.
  func backgroundCode(of color: RGBA) -> String {
    let wanted = Channels(color)
    switch self {
    case .full: return "48;2;\(wanted.red);\(wanted.green);\(wanted.blue)"
    case .palette: return "48;5;\(wanted.nearest(in: Self.paletteColors) + 16)"
    case .sixteen:
      let index = wanted.nearest(in: Self.sixteenColors)
      return String(index < 8 ? 40 + index : 92 + index)
    }
  }

  /// The colours 16 to 255 of xterm: a cube of six steps for each part, and 24 greys.
  private static let paletteColors: [Channels] = {
    let steps = [0, 95, 135, 175, 215, 255]
    let cube = steps.flatMap { red in
      steps.flatMap { green in steps.map { Channels(red: red, green: green, blue: $0) } }
    }
    return cube + (0..<24).map { Channels(red: 8 + $0 * 10, green: 8 + $0 * 10, blue: 8 + $0 * 10) }
  }()

  /// The sixteen colours as xterm draws them.
  private static let sixteenColors: [Channels] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
    (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255),
    (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ].map { Channels(red: $0.0, green: $0.1, blue: $0.2) }
}

/// The three parts of a colour, 0 to 255.
private struct Channels {
  let red: Int
  let green: Int
  let blue: Int

  init(red: Int, green: Int, blue: Int) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  init(_ color: RGBA) {
    func part(_ shift: UInt32) -> Int { Int(color.rawValue >> shift & 0xFF) }
    (red, green, blue) = (part(24), part(16), part(8))
  }

  /// The place of the colour with the smallest squared distance; the first one of several.
  func nearest(in colors: [Channels]) -> Int {
    var best = (index: 0, distance: Int.max)
    for (index, color) in colors.enumerated() {
      let (red, green, blue) = (color.red - red, color.green - green, color.blue - blue)
      let distance = red * red + green * green + blue * blue
      if distance < best.distance { best = (index, distance) }
    }
    return best.index
  }
}
